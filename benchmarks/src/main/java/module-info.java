/** Load generators and micro-benchmarks. */
module dev.gannet.benchmarks {
  requires HdrHistogram;
  requires com.google.protobuf;
  requires dev.gannet;
  requires info.picocli;
  requires java.management;
  requires jdk.management;
  requires static transitive org.jspecify;

  opens dev.gannet.benchmarks to
      info.picocli;
}
