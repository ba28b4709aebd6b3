package dev.gannet.server;

import dev.gannet.api.Status;
import dev.gannet.transport.ConnectionInfo;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/** Counts the calls and messages of one connection, and the calls of its server. All threads. */
final class ConnectionCounter {
  private static final CallCounts NONE =
      new CallCounts(new CallCounts.Values(0, 0, 0, Optional.empty()));

  private final CallCounter ofServer;
  private final CallCounter streams = new CallCounter();
  private final LongAdder sent = new LongAdder();
  private final LongAdder received = new LongAdder();
  private final LongAdder sentBytes = new LongAdder();
  private final LongAdder receivedBytes = new LongAdder();
  private volatile long lastSentMillis;
  private volatile long lastReceivedMillis;

  ConnectionCounter(CallCounter ofServer) {
    this.ofServer = ofServer;
  }

  void onStart(MethodCounter ofMethod) {
    ofMethod.start();
    long nowMillis = System.currentTimeMillis();
    ofServer.start(nowMillis);
    streams.start(nowMillis);
  }

  /** A call has ended, and its response with this code was written to the network. */
  void onAnswered(MethodCounter ofMethod, Status.Code code) {
    ofMethod.end(code);
    streams.end(true);
    ofServer.end(code == Status.Code.OK);
  }

  /** A call has ended with this status before its response was written. */
  void onCutOff(MethodCounter ofMethod, Status.Code code) {
    ofMethod.end(code);
    streams.end(false);
    ofServer.end(false);
  }

  /** A message of this size on the network was sent. */
  void onSent(MethodCounter ofMethod, int bytes) {
    ofMethod.send(bytes);
    sent.increment();
    sentBytes.add(bytes);
    lastSentMillis = System.currentTimeMillis();
  }

  /** A message of this size on the network was received. */
  void onReceived(MethodCounter ofMethod, int bytes) {
    ofMethod.receive(bytes);
    received.increment();
    receivedBytes.add(bytes);
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
            sent.sum(),
            received.sum(),
            sentBytes.sum(),
            receivedBytes.sum(),
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
            NONE,
            0,
            0,
            0,
            0,
            Optional.empty(),
            Optional.empty()));
  }
}
