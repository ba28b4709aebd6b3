package dev.gannet.transport.http2;

import dev.gannet.http2.Role;
import dev.gannet.protocol.MessageSizeLimit;
import dev.gannet.transport.MessageReading;
import dev.gannet.transport.memory.InflatedArrays;
import dev.gannet.transport.memory.MemoryLimiter;
import dev.gannet.transport.memory.ParsingTurns;

/** How the long or compressed messages of one connection are read. Confined to its loop. */
final class MessageReadings {
  private final MessageSizeLimit sizeLimit;
  private final int maxDecompressionRatio;
  private final InflatedArrays inflatedArrays;
  private final MessageReading.Ledger ledger;
  private final ParsingTurns.Party parsing = ParsingTurns.SHARED.join();

  /**
   * The readings of one connection.
   *
   * @param role the role of this side
   * @param memory where decompressed messages count
   * @param ledger learns of messages that took too long
   */
  MessageReadings(
      Role role, int maxDecompressionRatio, MemoryLimiter memory, MessageReading.Ledger ledger) {
    this.sizeLimit =
        role == Role.CLIENT
            ? MessageSizeLimit.OF_RECEIVED_RESPONSES
            : MessageSizeLimit.OF_RECEIVED_REQUESTS;
    this.maxDecompressionRatio = maxDecompressionRatio;
    this.inflatedArrays = new InflatedArrays(memory);
    this.ledger = ledger;
  }

  /** How messages of one call are read. */
  MessageReading ofCall(int maxMessageBytes) {
    return new MessageReading(
        sizeLimit, maxMessageBytes, maxDecompressionRatio, inflatedArrays, parsing, ledger);
  }
}
