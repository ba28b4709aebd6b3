/** What "gRPC over HTTP/2" means. */
module dev.gannet.protocol {
  requires transitive dev.gannet.api;
  requires dev.gannet.http2;
  requires static org.jspecify;
}
