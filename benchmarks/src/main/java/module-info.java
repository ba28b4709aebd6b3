/** Load generators and micro-benchmarks. */
module dev.gannet.benchmarks {
  requires HdrHistogram;
  requires com.fasterxml.jackson.databind;
  requires com.google.protobuf;
  requires dev.gannet;
  requires dev.gannet.benchmarks.harness;
  requires dev.gannet.http2;
  requires dev.gannet.protocol;
  requires info.picocli;
  requires io.netty.buffer;
  requires io.netty.codec.http2;
  requires io.netty.common;
  requires java.compiler;
  requires jmh.core;
  requires static transitive org.jspecify;

  opens dev.gannet.benchmarks to
      info.picocli;
  opens dev.gannet.benchmarks.compare to
      info.picocli;
}
