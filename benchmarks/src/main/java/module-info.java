/** Load generators, and the comparison with other implementations. */
module dev.gannet.benchmarks {
  requires HdrHistogram;
  requires com.fasterxml.jackson.databind;
  requires com.google.protobuf;
  requires dev.gannet;
  requires dev.gannet.benchmarks.harness;
  requires dev.gannet.serviceconfig;
  requires info.picocli;
  requires java.compiler;
  requires static org.jspecify;

  opens dev.gannet.benchmarks to
      info.picocli;
  opens dev.gannet.benchmarks.compare to
      info.picocli;
}
