/**
 * What gRPC over HTTP/2 means: message framing, the {@code grpc-*} fields, encodings, status
 * mapping; and the seam for other protocols of requests. For the modules of Gannet alone.
 */
module dev.gannet.protocol {
  requires static org.jspecify;
  requires transitive dev.gannet.api;
  requires transitive dev.gannet.http2;

  exports dev.gannet.protocol to
      dev.gannet.client,
      dev.gannet.server,
      dev.gannet.testing,
      dev.gannet.transport,
      dev.gannet.transport.inprocess;

  uses dev.gannet.protocol.RequestProtocol;
}
