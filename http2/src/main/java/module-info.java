/** HTTP/2 and HPACK (RFC 9113, RFC 7541) as pure state. */
module dev.gannet.http2 {
  requires static org.jspecify;

  exports dev.gannet.http2;
  exports dev.gannet.http2.connection;
  exports dev.gannet.http2.hpack;
}
