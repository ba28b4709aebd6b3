package dev.gannet.http2.connection;

import java.util.Arrays;

/**
 * What may be on its way to streams that this side reset recently: such frames are no offence (RFC
 * 9113 §5.1).
 *
 * <p>It keeps the ids of the latest resets, four times as many as the peer may have open streams. A
 * peer opens a stream above its limit only after it has learned of the end of another, and it sent
 * everything on that one before. Of earlier resets only the number is known; a server needs no
 * more, but a client may reset as many at once as it likes. A server's streams may also be refused
 * by the thousand before the client knows the limit: these are stored as a range of ids, with only
 * the number of their ends that are still to arrive.
 */
final class ResetMemory {
  private static final int FIRST_CAPACITY = 16;
  private static final int NO_STREAM = 0;

  /**
   * For each stream that may be open: peers may also reset some of the streams that this side
   * resets.
   */
  private static final int IDS_FOR_STREAM = 4;

  private static final int MIN_IDS = 1024;
  private static final int MAX_IDS = 1 << 16;

  /**
   * The frames that may arrive for a stream whose answer was sent at the moment of its reset:
   * headers, message, trailers.
   */
  private static final int FRAMES_OF_STREAM = 4;

  private final int mostIds;
  private int[] ids = new int[FIRST_CAPACITY];
  private int size;
  private int oldest;
  private int firstEarly = Integer.MAX_VALUE;
  private int lastEarly = NO_STREAM;
  private int endsOfEarly;
  private long framesOnTheirWay;
  private long dataBytes;

  /**
   * No stream was reset yet.
   *
   * @param mostStreams how many streams the peer may have open
   */
  ResetMemory(int mostStreams) {
    long wanted = (long) IDS_FOR_STREAM * mostStreams;
    mostIds = (int) Math.max(MIN_IDS, Math.min(MAX_IDS, wanted));
  }

  /** A stream was reset whose window allowed its peer to send that much more. */
  void add(int streamId, long windowBytes) {
    dataBytes += Math.max(0, windowBytes);
    framesOnTheirWay += FRAMES_OF_STREAM;
    if (size < mostIds) {
      if (size == ids.length) {
        ids = Arrays.copyOf(ids, Math.min(mostIds, size * 2));
      }
      ids[size++] = streamId;
    } else {
      ids[oldest] = streamId;
      oldest = (oldest + 1) % mostIds;
    }
  }

  /** A stream was refused whose peer does not know yet how many it may open. */
  void addEarly(int streamId, long windowBytes) {
    dataBytes += windowBytes;
    firstEarly = Math.min(firstEarly, streamId);
    lastEarly = streamId;
    endsOfEarly++;
  }

  boolean contains(int streamId) {
    return isEarly(streamId) || placeOf(streamId) >= 0;
  }

  private boolean isEarly(int streamId) {
    return streamId >= firstEarly && streamId <= lastEarly;
  }

  /** Counts a stream's end as one that was on its way; false if it has already arrived. */
  boolean spendEnd(int streamId) {
    if (remove(streamId)) {
      return true;
    }
    if (!isEarly(streamId) || endsOfEarly == 0) {
      return false;
    }
    endsOfEarly--;
    return true;
  }

  /**
   * Counts a frame as one that was on its way to any stream; false if more have already arrived
   * than this many streams can have.
   */
  boolean spendFrame() {
    if (framesOnTheirWay == 0) {
      return false;
    }
    framesOnTheirWay--;
    return true;
  }

  /**
   * Counts DATA that was on its way to any stream; false if it is more than the windows of all of
   * them allowed.
   */
  boolean spendData(int bytes) {
    if (dataBytes < bytes) {
      return false;
    }
    dataBytes -= bytes;
    return true;
  }

  /**
   * Forgets a stream: its peer has sent its last frame, so nothing is on its way any more. False if
   * its id was not known, or is in a range.
   */
  boolean remove(int streamId) {
    int place = placeOf(streamId);
    if (place < 0) {
      return false;
    }
    ids[place] = NO_STREAM;
    return true;
  }

  private int placeOf(int streamId) {
    for (int i = 0; i < size; i++) {
      if (ids[i] == streamId) {
        return i;
      }
    }
    return -1;
  }
}
