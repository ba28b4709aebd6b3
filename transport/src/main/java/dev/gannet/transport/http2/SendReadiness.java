package dev.gannet.transport.http2;

import dev.gannet.http2.connection.Http2Connection;
import dev.gannet.http2.connection.Http2Stream;
import java.util.function.Consumer;

/**
 * Which calls of one connection may send: at the end of a batch, the {@link SendQuota} learns what
 * closed windows block, and calls that wait to send are notified if they may. Confined to the
 * connection's loop.
 */
final class SendReadiness {
  private final SendQuota quota;
  private final Http2Connection connection;
  private final Consumer<Http2Stream> adding = this::addStanding;
  private final Consumer<Http2Stream> reconsidering = SendReadiness::reconsider;
  private long standing;

  SendReadiness(SendQuota quota, Http2Connection connection) {
    this.quota = quota;
    this.connection = connection;
  }

  /** Applies the consequences of what a batch has changed. */
  void settle() {
    quota.updateLimit(connection.canSend(), quota.isAvailable() ? 0 : standingBytes());
    if (quota.isAvailableForMoving() && quota.takeAsked()) {
      connection.scanStreams(reconsidering);
    }
  }

  /**
   * Sums up the queued bytes that closed windows block, and marks each call that has such bytes.
   */
  private long standingBytes() {
    standing = 0;
    connection.scanStreams(adding);
    return standing;
  }

  private void addStanding(Http2Stream stream) {
    if (stream.attachment() instanceof CallStream<?, ?> call) {
      standing += call.outgoing.standingBytes(stream);
    }
  }

  private static void reconsider(Http2Stream stream) {
    if (stream.attachment() instanceof CallStream<?, ?> call && call.outgoing.reconsider()) {
      call.onReady();
    }
  }
}
