package dev.gannet.transport.inprocess;

import dev.gannet.api.transport.Transport;

/**
 * How calls within this process differ from those over a network, for {@code
 * ServerBuilder.transport} and {@code ManagedChannelBuilder.transport}. Those who want the defaults
 * need not name them: the transport is found by its addresses. Immutable.
 *
 * <p>{@link #withCauses} and {@link #withWrittenMessages} count for calls of a server that has
 * them, and of a channel that has them, whatever the other side has.
 */
public final class InProcessOptions {
  /** Causes do not travel, and immutable messages are handed over as they are. */
  public static final InProcessOptions DEFAULT = new InProcessOptions(false, false);

  private final boolean causes;
  private final boolean writtenMessages;

  private InProcessOptions(boolean causes, boolean writtenMessages) {
    this.causes = causes;
    this.writtenMessages = writtenMessages;
  }

  /**
   * Whether the cause of a status travels with it from the server to the client, and with it what a
   * failing handler has thrown. Not by default, as on a network: a client that relies on it works
   * in tests alone.
   */
  public InProcessOptions withCauses(boolean passed) {
    return new InProcessOptions(passed, writtenMessages);
  }

  /**
   * Whether all messages are written and parsed, also those that could be handed over as they are.
   * Not by default. Limits of message sizes count for messages that are written, and for no others.
   */
  public InProcessOptions withWrittenMessages(boolean written) {
    return new InProcessOptions(causes, written);
  }

  /** A transport with these options. */
  public Transport transport() {
    return new InProcessTransport(this, SystemScheduler.INSTANCE);
  }

  boolean passesCauses() {
    return causes;
  }

  boolean writesMessages() {
    return writtenMessages;
  }
}
