/**
 * What engines and transports say to each other, and HTTP/2 over any pipe. For the modules of
 * Gannet alone.
 */
module dev.gannet.transport {
  requires java.management;
  requires static org.jspecify;
  requires transitive dev.gannet.api;
  requires transitive dev.gannet.http2;
  requires transitive dev.gannet.protocol;

  exports dev.gannet.transport to
      dev.gannet.client,
      dev.gannet.server,
      dev.gannet.simulation,
      dev.gannet.suites,
      dev.gannet.testing,
      dev.gannet.transport.inprocess,
      dev.gannet.transport.netty;
  exports dev.gannet.transport.http2 to
      dev.gannet.suites;
  exports dev.gannet.transport.memory to
      dev.gannet.client,
      dev.gannet.server,
      dev.gannet.suites;
  exports dev.gannet.transport.pipe to
      dev.gannet.suites,
      dev.gannet.transport.netty;
  exports dev.gannet.transport.settings to
      dev.gannet.client,
      dev.gannet.server,
      dev.gannet.suites,
      dev.gannet.transport.inprocess,
      dev.gannet.transport.netty;
  exports dev.gannet.transport.tracing to
      dev.gannet.client,
      dev.gannet.transport.inprocess;

  uses dev.gannet.transport.TransportFactory;
  uses dev.gannet.transport.pipe.PipeProvider;

  provides dev.gannet.transport.TransportFactory with
      dev.gannet.transport.http2.Http2Factory;
}
