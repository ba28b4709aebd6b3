package dev.gannet.transport;

import java.util.concurrent.Executor;

/** An inbox with a separate receiver, run by an executor. */
final class ReceiverInbox extends AwaitableInbox {
  /** Processes the events. */
  interface Receiver {
    void receive(CallEvent event);

    /** A thread waits outside the events. */
    default void onStuck() {}

    /** The end waits behind a message. */
    default void onEndHeld() {}
  }

  private final Executor executor;
  private final Receiver receiver;

  ReceiverInbox(Executor executor, Receiver receiver) {
    this.executor = executor;
    this.receiver = receiver;
  }

  @Override
  protected void execute() {
    executor.execute(this);
  }

  @Override
  protected void receive(CallEvent event) {
    receiver.receive(event);
  }

  @Override
  protected boolean mayWait() {
    return true;
  }

  @Override
  protected void onStuck() {
    receiver.onStuck();
  }

  @Override
  protected void onEndHeld() {
    receiver.onEndHeld();
  }
}
