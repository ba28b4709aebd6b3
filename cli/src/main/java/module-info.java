/** The commands of ./gannet for users. */
module dev.gannet.cli {
  requires com.google.protobuf;
  requires dev.gannet;
  requires dev.gannet.services;
  requires info.picocli;
  requires HdrHistogram;
  requires static org.jspecify;

  opens dev.gannet.cli to
      info.picocli;
}
