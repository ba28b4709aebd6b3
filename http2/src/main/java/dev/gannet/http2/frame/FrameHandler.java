package dev.gannet.http2.frame;

import dev.gannet.http2.Violation;
import java.nio.ByteBuffer;

/** Takes the frames that a {@link FrameReader} finds in the bytes. */
public interface FrameHandler {
  /**
   * A complete frame of any type except DATA. Its payload is between position and limit, and valid
   * only during this call.
   */
  void onFrame(FrameHeader header, ByteBuffer payload);

  /** A DATA frame begins; its payload follows in pieces as it arrives. */
  void onDataHeader(FrameHeader header);

  /** Some of a DATA frame's content, without padding; valid only during this call. */
  void onDataBytes(ByteBuffer piece);

  /** The DATA frame has ended. */
  void onDataEnd();

  /** The bytes are not frames, or not frames that may be sent. */
  void onBroken(Violation violation);

  /** Whether frames are wanted now; if not, the rest of the bytes is not read. */
  boolean wantsFrames();
}
