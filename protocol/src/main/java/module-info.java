/** What "gRPC over HTTP/2" means: framing, fields, encodings and status mapping. */
module dev.gannet.protocol {
  requires transitive dev.gannet.api;
  requires transitive dev.gannet.http2;
  requires static org.jspecify;

  exports dev.gannet.protocol;
}
