package dev.gannet.http2.frame;

import dev.gannet.http2.Violation;
import java.nio.ByteBuffer;

/** Takes the frames that a {@link FrameReader} cuts out of the bytes. */
public interface FrameHandler {
  /**
   * A frame of any type but DATA, whole. Its payload lies between position and limit, during this
   * call only.
   */
  void onFrame(FrameHeader header, ByteBuffer payload);

  /** A DATA frame begins; its payload follows in pieces as it arrives. */
  void onDataHeader(FrameHeader header);

  /** Some of a DATA frame's content, padding taken off; good during this call only. */
  void onDataBytes(ByteBuffer piece);

  /** The DATA frame is over. */
  void onDataEnd();

  /** The bytes are not frames any more, or not frames that may be sent. */
  void onBroken(Violation violation);

  /** Whether frames are wanted now; if not, the rest of the bytes is left where it is. */
  boolean wantsFrames();
}
