package dev.gannet.transport.http2;

/** A short command for one call that needs no further data. */
final class StreamMail extends Mail {
  private final Runnable order;

  StreamMail(Runnable order) {
    this.order = order;
  }

  @Override
  void open() {
    order.run();
  }
}
