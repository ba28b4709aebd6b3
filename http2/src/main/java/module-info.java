/** RFC 9113 and RFC 7541 as pure state. */
module dev.gannet.http2 {
  requires static org.jspecify;
}
