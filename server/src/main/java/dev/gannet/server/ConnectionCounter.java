package dev.gannet.server;

import dev.gannet.api.Status;
import dev.gannet.server.call.CallCounter;
import dev.gannet.transport.ConnectionInfo;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/** Counts the calls and messages of one connection, and the calls of its server. All threads. */
final class ConnectionCounter {
  private static final CallCounts NO_CALLS = new CallCounts(new CallCounter().values());

  private final CallCounter ofServer;
  private final CallCounter calls = new CallCounter();
  private final LongAdder sent = new LongAdder();
  private final LongAdder received = new LongAdder();
  private volatile long lastSentMillis;
  private volatile long lastReceivedMillis;

  ConnectionCounter(CallCounter ofServer) {
    this.ofServer = ofServer;
  }

  void onStart(CallCounter ofMethod) {
    long nowMillis = System.currentTimeMillis();
    ofMethod.start(nowMillis);
    calls.start(nowMillis);
    ofServer.start(nowMillis);
  }

  /** The handler of a call starts, or never will. */
  void onLeftQueue(CallCounter ofMethod) {
    ofMethod.leaveQueue();
    calls.leaveQueue();
    ofServer.leaveQueue();
  }

  /** A call has ended, and its response with this code was written to the network. */
  void onAnswered(CallCounter ofMethod, Status.Code code) {
    ofMethod.answer(code);
    calls.answer(code);
    ofServer.answer(code);
  }

  /** A call has ended with this status before its response was written. */
  void onCutOff(CallCounter ofMethod, Status.Code code) {
    ofMethod.cutOff(code);
    calls.cutOff(code);
    ofServer.cutOff(code);
  }

  /** A message of this size on the network was sent. */
  void onSent(CallCounter ofMethod, int bytes) {
    ofMethod.send(bytes);
    calls.send(bytes);
    ofServer.send(bytes);
    sent.increment();
    lastSentMillis = System.currentTimeMillis();
  }

  /** A message of this size on the network was received. */
  void onReceived(CallCounter ofMethod, int bytes) {
    ofMethod.receive(bytes);
    calls.receive(bytes);
    ofServer.receive(bytes);
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
            new CallCounts(calls.values()),
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
            NO_CALLS,
            0,
            0,
            Optional.empty(),
            Optional.empty()));
  }
}
