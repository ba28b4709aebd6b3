/**
 * The protocol gRPC over HTTP/2: message framing, the {@code grpc-*} fields, encodings, status
 * mapping; and the interface for other request protocols. For the modules of Gannet only.
 */
module dev.gannet.protocol {
  requires static org.jspecify;
  requires transitive dev.gannet.api;
  requires transitive dev.gannet.http2;

  exports dev.gannet.protocol to
      dev.gannet.client,
      dev.gannet.server,
      dev.gannet.suites,
      dev.gannet.transport,
      dev.gannet.transport.inprocess;

  uses dev.gannet.protocol.RequestProtocol;
}
