package dev.gannet.transport.http2;

import dev.gannet.transport.MessageReading;
import dev.gannet.transport.memory.InflatedArrays;
import dev.gannet.transport.memory.MemoryLimiter;
import dev.gannet.transport.memory.ParsingTurns;

/** How the long or compressed messages of one connection are read. Confined to its loop. */
final class MessageReadings {
  private final int maxDecompressionRatio;
  private final InflatedArrays inflatedArrays;
  private final MessageReading.Ledger ledger;
  private final ParsingTurns.Party parsing = ParsingTurns.SHARED.join();

  /**
   * The readings of one connection.
   *
   * @param memory where decompressed messages count
   * @param ledger learns of messages that took too long
   */
  MessageReadings(int maxDecompressionRatio, MemoryLimiter memory, MessageReading.Ledger ledger) {
    this.maxDecompressionRatio = maxDecompressionRatio;
    this.inflatedArrays = new InflatedArrays(memory);
    this.ledger = ledger;
  }

  /** How messages of one call are read. */
  MessageReading ofCall(ReceivingCall call) {
    return new MessageReading(
        call.inboundLimit(),
        call.maxInboundMessageBytes(),
        maxDecompressionRatio,
        inflatedArrays,
        parsing,
        ledger);
  }
}
