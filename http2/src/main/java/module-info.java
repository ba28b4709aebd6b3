/** HTTP/2 and HPACK (RFC 9113, RFC 7541) without I/O. For the modules of Gannet only. */
module dev.gannet.http2 {
  requires static org.jspecify;

  exports dev.gannet.http2 to
      dev.gannet.protocol,
      dev.gannet.suites,
      dev.gannet.transport,
      dev.gannet.transport.netty;
  exports dev.gannet.http2.connection to
      dev.gannet.suites,
      dev.gannet.transport;
  exports dev.gannet.http2.hpack to
      dev.gannet.protocol,
      dev.gannet.suites,
      dev.gannet.transport;
}
