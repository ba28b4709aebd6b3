/** The seam between engines and wires, and the driver that runs HTTP/2 over any pipe. */
module dev.gannet.transport {
  requires static org.jspecify;
  requires transitive dev.gannet.api;
  requires transitive dev.gannet.http2;
  requires transitive dev.gannet.protocol;

  exports dev.gannet.transport;
  exports dev.gannet.transport.http2;
  exports dev.gannet.transport.pipe;

  uses dev.gannet.transport.TransportFactory;
  uses dev.gannet.transport.pipe.PipeProvider;

  provides dev.gannet.transport.TransportFactory with
      dev.gannet.transport.http2.Http2Factory;
}
