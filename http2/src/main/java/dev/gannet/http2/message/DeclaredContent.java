package dev.gannet.http2.message;

import java.util.Optional;

/** The content of a message that declared its length: how much of it is still to arrive. */
public final class DeclaredContent {
  private long leftBytes;

  /** Content of this many bytes, none of which has arrived. */
  public DeclaredContent(long bytes) {
    this.leftBytes = bytes;
  }

  /** This many bytes arrived. */
  public Optional<Flaw> take(int bytes) {
    leftBytes -= bytes;
    return leftBytes < 0 ? Optional.of(Flaw.CONTENT_TOO_LONG) : Optional.empty();
  }

  /** No more will arrive. */
  public Optional<Flaw> end() {
    return leftBytes > 0 ? Optional.of(Flaw.CONTENT_TOO_SHORT) : Optional.empty();
  }
}
