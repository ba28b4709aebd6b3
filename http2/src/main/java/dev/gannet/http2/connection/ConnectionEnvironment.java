package dev.gannet.http2.connection;

import dev.gannet.http2.ByteSink;
import dev.gannet.http2.Limits;
import dev.gannet.http2.Role;
import dev.gannet.http2.frame.FrameWriter;

/** What all parts of one connection share. */
record ConnectionEnvironment(
    Role role,
    Limits limits,
    ConnectionListener events,
    ByteSink sink,
    FrameWriter writer,
    LatestTime time) {
  boolean isClient() {
    return role == Role.CLIENT;
  }

  boolean isServer() {
    return role == Role.SERVER;
  }

  long nowNanos() {
    return time.nanos();
  }
}
