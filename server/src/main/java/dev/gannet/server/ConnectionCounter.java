package dev.gannet.server;

import dev.gannet.api.Status;
import dev.gannet.transport.ConnectionInfo;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/** Counts the calls and messages of one connection, and the calls of its server. All threads. */
final class ConnectionCounter {
  private static final CallCounts NO_STREAMS =
      new CallCounts(new CallCounts.Values(0, 0, 0, Optional.empty()));
  private static final MethodCounts NO_CALLS = new StatusCounter().counts();

  private final CallCounter ofServer;
  private final CallCounter streams = new CallCounter();
  private final StatusCounter calls = new StatusCounter();
  private final LongAdder sent = new LongAdder();
  private final LongAdder received = new LongAdder();
  private volatile long lastSentMillis;
  private volatile long lastReceivedMillis;

  ConnectionCounter(CallCounter ofServer) {
    this.ofServer = ofServer;
  }

  void onStart(StatusCounter ofMethod) {
    ofMethod.start();
    calls.start();
    long nowMillis = System.currentTimeMillis();
    ofServer.start(nowMillis);
    streams.start(nowMillis);
  }

  /** The handler of a call starts, or never will. */
  void onLeftQueue(StatusCounter ofMethod) {
    ofMethod.leaveQueue();
    calls.leaveQueue();
  }

  /** A call has ended, and its response with this code was written to the network. */
  void onAnswered(StatusCounter ofMethod, Status.Code code) {
    ofMethod.end(code);
    calls.end(code);
    streams.end(true);
    ofServer.end(code == Status.Code.OK);
  }

  /** A call has ended with this status before its response was written. */
  void onCutOff(StatusCounter ofMethod, Status.Code code) {
    ofMethod.end(code);
    calls.end(code);
    streams.end(false);
    ofServer.end(false);
  }

  /** A message of this size on the network was sent. */
  void onSent(StatusCounter ofMethod, int bytes) {
    ofMethod.send(bytes);
    calls.send(bytes);
    sent.increment();
    lastSentMillis = System.currentTimeMillis();
  }

  /** A message of this size on the network was received. */
  void onReceived(StatusCounter ofMethod, int bytes) {
    ofMethod.receive(bytes);
    calls.receive(bytes);
    received.increment();
    lastReceivedMillis = System.currentTimeMillis();
  }

  ConnectionSnapshot snapshot(long id, ConnectionInfo info) {
    return new ConnectionSnapshot(
        new ConnectionSnapshot.Values(
            id,
            info.localAddress(),
            info.remoteAddress(),
            info.tls(),
            streams.counts(),
            calls.counts(),
            sent.sum(),
            received.sum(),
            CallCounter.instant(lastSentMillis),
            CallCounter.instant(lastReceivedMillis)));
  }

  /** A snapshot of a connection whose calls are not counted. */
  static ConnectionSnapshot uncounted(long id, ConnectionInfo info) {
    return new ConnectionSnapshot(
        new ConnectionSnapshot.Values(
            id,
            info.localAddress(),
            info.remoteAddress(),
            info.tls(),
            NO_STREAMS,
            NO_CALLS,
            0,
            0,
            Optional.empty(),
            Optional.empty()));
  }
}
