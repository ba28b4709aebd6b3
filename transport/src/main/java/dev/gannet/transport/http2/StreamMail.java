package dev.gannet.transport.http2;

import dev.gannet.transport.Mail;

/** A short command for one call that needs no further data. */
final class StreamMail extends Mail {
  private final Runnable order;

  StreamMail(Runnable order) {
    this.order = order;
  }

  @Override
  protected void open() {
    order.run();
  }
}
