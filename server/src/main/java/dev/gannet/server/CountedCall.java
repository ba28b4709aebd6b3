package dev.gannet.server;

import dev.gannet.api.Status;
import dev.gannet.server.call.CallCounter;
import dev.gannet.server.call.CallObserver;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/** Counts a call, its messages and its status. */
final class CountedCall implements CallObserver {
  private static final AtomicIntegerFieldUpdater<CountedCall> QUEUED =
      AtomicIntegerFieldUpdater.newUpdater(CountedCall.class, "queued");

  private final ConnectionCounter counter;
  private final CallCounter ofMethod;

  /** 1 until the handler starts or the call ends. */
  private volatile int queued = 1;

  CountedCall(ConnectionCounter counter, CallCounter ofMethod) {
    this.counter = counter;
    this.ofMethod = ofMethod;
  }

  @Override
  public void onBegun() {
    counter.onStart(ofMethod);
  }

  @Override
  public void onReceived(int wireBytes) {
    counter.onReceived(ofMethod, wireBytes);
  }

  @Override
  public void onStarted() {
    leaveQueue();
  }

  /** The handler starts, or the call ends: the first of both counts. */
  private void leaveQueue() {
    if (queued == 1 && QUEUED.compareAndSet(this, 1, 0)) {
      counter.onLeftQueue(ofMethod);
    }
  }

  @Override
  public void onSent(int wireBytes) {
    counter.onSent(ofMethod, wireBytes);
  }

  @Override
  public void onAnswered(Status.Code code) {
    leaveQueue();
    counter.onAnswered(ofMethod, code);
  }

  @Override
  public void onCutOff(Status.Code code) {
    leaveQueue();
    counter.onCutOff(ofMethod, code);
  }
}
