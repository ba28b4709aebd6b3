package dev.gannet.http2.message;

import java.util.Optional;

/** The content of a message that said how long it would be: what of it is still to come. */
public final class DeclaredContent {
  private long leftBytes;

  /** Content of that many bytes, none of which has come. */
  public DeclaredContent(long bytes) {
    this.leftBytes = bytes;
  }

  /** So many bytes came. */
  public Optional<Flaw> take(int bytes) {
    leftBytes -= bytes;
    return leftBytes < 0 ? Optional.of(Flaw.CONTENT_TOO_LONG) : Optional.empty();
  }

  /** No more comes. */
  public Optional<Flaw> end() {
    return leftBytes > 0 ? Optional.of(Flaw.CONTENT_TOO_SHORT) : Optional.empty();
  }
}
