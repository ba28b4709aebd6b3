package dev.gannet.transport.inprocess;

import dev.gannet.api.transport.Transport;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Options of in-process calls, for {@code ServerBuilder.transport} and {@code
 * ManagedChannelBuilder.transport}. They are not needed for the defaults: the transport is found by
 * its addresses. Immutable.
 *
 * <p>{@link #withCauses} and {@link #withWrittenMessages} apply to the calls of a server or channel
 * that sets them, independent of the other side.
 */
public final class InProcessOptions {
  /** Causes are not passed to the other side, and immutable messages are passed as objects. */
  public static final InProcessOptions DEFAULT = new InProcessOptions(false, false);

  private final boolean causes;
  private final boolean writtenMessages;

  private InProcessOptions(boolean causes, boolean writtenMessages) {
    this.causes = causes;
    this.writtenMessages = writtenMessages;
  }

  /**
   * Whether the cause of a status is passed from the server to the client, including the exception
   * of a failing handler. Not by default, as on a network: a client that relies on it would only
   * work in tests.
   */
  public InProcessOptions withCauses(boolean passed) {
    return new InProcessOptions(passed, writtenMessages);
  }

  /**
   * Whether all messages are serialized and parsed, including those that could be passed as
   * objects. Not by default. Size limits only apply to serialized messages.
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

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof InProcessOptions that
        && causes == that.causes
        && writtenMessages == that.writtenMessages;
  }

  @Override
  public int hashCode() {
    return Objects.hash(causes, writtenMessages);
  }

  @Override
  public String toString() {
    return "InProcessOptions[causes=" + causes + ", writtenMessages=" + writtenMessages + "]";
  }
}
