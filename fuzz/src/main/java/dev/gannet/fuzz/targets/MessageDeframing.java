package dev.gannet.fuzz.targets;

import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.protocol.ArraySource;
import dev.gannet.protocol.Deframer;
import dev.gannet.protocol.MessageDeframer;
import dev.gannet.protocol.MessageEncoding;
import dev.gannet.protocol.MessageFrame;
import dev.gannet.protocol.MessageSizeLimit;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/**
 * DATA to messages: the same messages and the same end however the data are cut, none over its
 * limit, gzip as the JDK reads it, and memory that the limit bounds.
 *
 * <pre>
 *   options (1) | seed of the cuts (4) | data
 *   option 1: data are chunks, mark between them, each made into a message; see {@link Messages}
 * </pre>
 */
public final class MessageDeframing {
  private static final int[] MAX_MESSAGE_BYTES = {4 << 10, 100, 0, 64 << 10};
  private static final int AS_MESSAGES = 1;
  private static final int GZIP = 2;

  /**
   * What each message may cost in addition to its bytes: buffers, an inflater, a status and its
   * text.
   */
  private static final int COST_OF_MESSAGE = 9 << 10;

  /**
   * The received part of an incomplete message is kept in an array at most 2.5 times as long, or of
   * this size.
   */
  private static final int SMALLEST_HELD_BYTES = 256;

  private final MessageEncoding encoding;
  private final int maxMessageBytes;
  private final int seed;
  private final byte[] data;

  /** The result of a deframer. */
  private record Deframed(List<ByteBuffer> messages, Optional<Status.Code> failure) {}

  private MessageDeframing(Input in) {
    int options = in.octet();
    this.encoding = (options & GZIP) != 0 ? MessageEncoding.GZIP : MessageEncoding.IDENTITY;
    this.maxMessageBytes = MAX_MESSAGE_BYTES[options >>> 2 & 3];
    this.seed = in.number();
    this.data = (options & AS_MESSAGES) != 0 ? Messages.of(in.chunks()) : in.rest();
  }

  /** Runs one input. */
  public static void fuzzerTestOneInput(byte[] input) {
    new MessageDeframing(new Input(input)).play();
  }

  private void play() {
    Deframed whole = deframe(Pieces.whole(data));
    Deframed cut = deframe(Pieces.of(data, seed));
    Finding.unlessEqual(whole.messages, cut.messages, "cuts change the messages");
    Finding.unlessEqual(whole.failure, cut.failure, "cuts change how the data end");
    checkGzip(whole);
    Pieces pieces = Pieces.of(data, seed);
    Budget.hold(
        () -> maxCostBytes(pieces, whole), () -> new Run(new ArrayList<>(), false).of(pieces));
  }

  private Deframed deframe(Pieces pieces) {
    List<ByteBuffer> messages = new ArrayList<>();
    Run run = new Run(messages, true);
    run.of(pieces);
    return new Deframed(messages, run.failure);
  }

  /** One deframer and its progress through the data. */
  private final class Run implements Deframer.Receiver {
    private final MessageDeframer deframer =
        new MessageDeframer(
            encoding, maxMessageBytes, MessageSizeLimit.OF_RECEIVED_REQUESTS, ArraySource.HEAP);
    private final List<ByteBuffer> messages;
    private final boolean keeping;
    private Optional<Status.Code> failure = Optional.empty();
    private boolean undecodable;
    private long arrivedBytes;
    private long shownBytes;

    Run(List<ByteBuffer> messages, boolean keeping) {
      this.messages = messages;
      this.keeping = keeping;
    }

    void of(Pieces pieces) {
      pieces.forEach(this::push);
      Optional<Status> torn = deframer.end();
      if (failure.isEmpty()) {
        failure = torn.map(Status::code);
      }
    }

    private void push(ByteBuffer piece) {
      arrivedBytes += piece.remaining();
      Optional<Status> failed = deframer.push(piece, this);
      if (undecodable) {
        return;
      }
      Finding.unless(failed.isEmpty() || failure.isEmpty(), "data fail twice");
      Finding.unless(!piece.hasRemaining(), "some of the data is left");
      failed.ifPresent(status -> failure = Optional.of(status.code()));
      Finding.unless(
          deframer.heldBytes() <= Math.max(SMALLEST_HELD_BYTES, 5 * (arrivedBytes - shownBytes) / 2)
              && deframer.heldBytes() <= maxMessageBytes,
          "an unfinished message holds " + deframer.heldBytes() + " bytes");
    }

    @Override
    public void message(ByteBuffer bytes, Deframer.Ownership ownership, MessageEncoding encoding) {
      if (undecodable) {
        return; // its call would be over
      }
      Finding.unless(failure.isEmpty(), "a message came behind a failure");
      Finding.unless(bytes.remaining() <= maxMessageBytes, "a message is over the limit");
      shownBytes += MessageFrame.PREFIX_BYTES + bytes.remaining();
      Finding.unless(shownBytes <= arrivedBytes, "more was shown than came");
      decode(bytes, encoding);
    }

    private void decode(ByteBuffer bytes, MessageEncoding from) {
      try {
        ByteBuffer plain =
            from.decode(
                bytes,
                maxMessageBytes,
                MessageEncoding.ANY_RATIO,
                MessageSizeLimit.OF_RECEIVED_REQUESTS,
                ArraySource.HEAP);
        Finding.unless(plain.remaining() <= maxMessageBytes, "a message is over the limit");
        if (keeping) {
          messages.add(ByteBuffer.allocate(plain.remaining()).put(plain).flip());
        }
      } catch (StatusException e) {
        failure = Optional.of(e.status().code());
        undecodable = true;
      }
    }
  }

  /** Reads the messages again, with the JDK's gzip. */
  private void checkGzip(Deframed deframed) {
    ByteBuffer in = ByteBuffer.wrap(data);
    for (ByteBuffer message : deframed.messages) {
      boolean compressed = in.get() != 0;
      byte[] bytes = new byte[in.getInt()];
      in.get(bytes);
      ByteBuffer expected = ByteBuffer.wrap(compressed ? unzipped(bytes) : bytes);
      Finding.unlessEqual(expected, message, "a message has other bytes");
    }
  }

  private byte[] unzipped(byte[] bytes) {
    try (GZIPInputStream gzip = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
      return gzip.readNBytes(maxMessageBytes + 1);
    } catch (IOException e) {
      throw new Finding("the JDK cannot decompress what we could", e);
    }
  }

  private long maxCostBytes(Pieces pieces, Deframed deframed) {
    long messages = deframed.messages.size() + 1L; // the last may fail
    int costliestBytes = encoding == MessageEncoding.GZIP ? maxMessageBytes : 0;
    return 4 * pieces.costBytes()
        + messages * (4L * costliestBytes + COST_OF_MESSAGE)
        + MessageFrame.PREFIX_BYTES;
  }
}
