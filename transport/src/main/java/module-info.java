/** The seam between engines and wires, and the driver of http2. */
module dev.gannet.transport {
  requires transitive dev.gannet.api;
  requires dev.gannet.protocol;
  requires dev.gannet.http2;
  requires static org.jspecify;
}
