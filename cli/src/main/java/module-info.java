/** The commands of ./gannet for users. */
module dev.gannet.cli {
  requires dev.gannet;
  requires info.picocli;
  requires static org.jspecify;

  opens dev.gannet.cli to
      info.picocli;
}
