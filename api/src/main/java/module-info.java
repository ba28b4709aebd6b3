/** The API of Gannet for generated code, interceptors and libraries. */
module dev.gannet.api {
  requires static org.jspecify;

  exports dev.gannet.api;
  exports dev.gannet.api.engine to
      dev.gannet.client,
      dev.gannet.protocol,
      dev.gannet.server,
      dev.gannet.serviceconfig,
      dev.gannet.suites,
      dev.gannet.transport,
      dev.gannet.transport.netty;
  exports dev.gannet.api.stub;
  exports dev.gannet.api.transport;
}
