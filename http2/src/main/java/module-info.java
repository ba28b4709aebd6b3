/** HTTP/2 and HPACK (RFC 9113, RFC 7541) as pure state. For the modules of Gannet alone. */
module dev.gannet.http2 {
  requires static org.jspecify;

  exports dev.gannet.http2 to
      dev.gannet.protocol,
      dev.gannet.testing,
      dev.gannet.transport,
      dev.gannet.transport.netty;
  exports dev.gannet.http2.connection to
      dev.gannet.testing,
      dev.gannet.transport;
  exports dev.gannet.http2.hpack to
      dev.gannet.protocol,
      dev.gannet.testing,
      dev.gannet.transport;
}
