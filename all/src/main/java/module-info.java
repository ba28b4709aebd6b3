/** The one dependency most users add. */
module dev.gannet {
  requires transitive dev.gannet.api;
  requires transitive dev.gannet.client;
  requires transitive dev.gannet.server;
  requires transitive dev.gannet.transport.inprocess;
  requires transitive dev.gannet.transport.netty;
  requires transitive dev.gannet.protobuf;
}
