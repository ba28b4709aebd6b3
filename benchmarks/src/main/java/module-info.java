/** Load generators and micro-benchmarks. */
module dev.gannet.benchmarks {
  requires dev.gannet;
  requires info.picocli;
  requires static org.jspecify;

  opens dev.gannet.benchmarks to
      info.picocli;
}
