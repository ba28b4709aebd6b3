package dev.gannet.transport.netty;

import dev.gannet.http2.AbuseBucket;
import dev.gannet.http2.AbuseKind;
import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.Limits;
import dev.gannet.http2.Violation;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandler;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Precedes TLS in the pipeline and limits what a peer can make it do without sending application
 * data, with any TLS library and for clients and servers. It counts the records that enter TLS and
 * the application data that comes out:
 *
 * <pre>
 *   socket ──► TlsRecords ──► SslHandler ──► plaintext() ──► PipeHandler
 *                  ▲                              │
 *                  └───────── plainBytes ─────────┘
 * </pre>
 *
 * <p>Until the handshake has ended, the number of records is limited. After that, a record without
 * application data is {@link AbuseKind#EMPTY_TLS_RECORD}, and one with less of it than a frame
 * header has is {@link AbuseKind#TINY_TLS_RECORD}. All other records are left to HTTP/2, which
 * counts the frames in them.
 *
 * <p>To find out which record brought nothing, TLS is given one record at a time. That is expensive
 * with OpenSSL, so records are given in runs after many in a row have brought as much as their
 * length says:
 *
 * <pre>
 *   ONE BY ONE ── 1,024 in a row bring what they should ──► IN RUNS of 32
 *              ◄───── a run brings less than it should ────
 * </pre>
 *
 * <p>In TLS 1.2 a handshake record after the handshake closes the connection: HTTP/2 forbids
 * renegotiation (RFC 9113 §9.2.1), answering it costs far more than requesting it, and the JDK's
 * TLS would take part in it.
 *
 * <p>Confined to the channel's loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // the result of a close is seen in the channel's end
final class TlsRecords extends InboundHandler {
  private static final Violation NO_RENEGOTIATION =
      new Violation.OfConnection(
          ErrorCode.PROTOCOL_ERROR, "TLS renegotiation is not allowed (RFC 9113 §9.2.1)");

  /** The content type of a record (RFC 8446 §5.1). */
  private static final int HANDSHAKE = 22;

  /**
   * A handshake needs about a dozen records; one with long certificate chains in records of 512
   * bytes (RFC 6066 §4) some more.
   */
  private static final int MAX_RECORDS_OF_HANDSHAKE = 100;

  /** RFC 9113 §4.1. */
  private static final int FRAME_HEADER_BYTES = 9;

  /**
   * Each time this much of an empty record counts as another record, because it may contain many
   * messages.
   */
  private static final int EMPTY_RECORD_BYTES = 1 << 10;

  private static final int TINY_RECORDS_PAID_BACK = 2;

  /** In a run it is unknown which records were empty, so good records must precede it. */
  private static final int RECORDS_BEFORE_RUNS = 1024;

  private static final int RECORDS_IN_RUN = 32;

  /** After this many records of one connection it is the next one's turn to be read. */
  private static final int RECORDS_IN_PASS = 1024;

  private final Future<?> handshake;
  private final Supplier<TlsRecordFormat> formatOfSession;
  private final LongSupplier clock;
  private final Limits limits;
  private final AbuseBucket empty;
  private final AbuseBucket tiny;
  private final RecordHeader header = new RecordHeader();
  private @Nullable TlsRecordFormat formatOfRecords;
  private boolean refused;
  private int recordsOfHandshake;
  private int recordsInPass;
  private int goodInRow;

  /** What has come out of TLS since it was given the last record or run. */
  private int plainBytes;

  // The run that is given to TLS next.
  private int records;
  private int expectedBytes;
  private int tinyRecords;
  private int emptyRecords;

  /** The records before that handler. */
  TlsRecords(SslHandler tls, Limits limits) {
    this(
        tls.handshakeFuture(),
        () -> TlsRecordFormat.of(tls.engine().getSession()),
        limits,
        System::nanoTime);
  }

  /**
   * The records before some TLS.
   *
   * @param handshake ends on the channel's loop
   * @param formatOfSession called after the handshake has succeeded
   * @param clock nanoseconds from any fixed origin
   */
  TlsRecords(
      Future<?> handshake,
      Supplier<TlsRecordFormat> formatOfSession,
      Limits limits,
      LongSupplier clock) {
    this.handshake = handshake;
    this.formatOfSession = formatOfSession;
    this.clock = clock;
    this.limits = limits;
    this.empty = new AbuseBucket(limits.rate(AbuseKind.EMPTY_TLS_RECORD));
    this.tiny = new AbuseBucket(limits.rate(AbuseKind.TINY_TLS_RECORD));
  }

  /** The handler that must follow TLS. */
  ChannelInboundHandler plaintext() {
    return new Plaintext();
  }

  /** Whether this pass may read more, or it is the turn of other connections. */
  boolean mayReadOn() {
    return recordsInPass < RECORDS_IN_PASS;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    handshake.addListener(done -> {
      if (done.isSuccess()) {
        formatOfRecords = formatOfSession.get();
      }
    });
  }

  /**
   * If a buffer contains several runs, its indexes are set to one of them at a time. That needs no
   * slices; but if TLS keeps a part of the buffer, the rest must be slices.
   */
  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf bytes = (ByteBuf) message;
    int end = bytes.writerIndex();
    int from = bytes.readerIndex();
    try {
      while (!refused && from < end) {
        TlsRecordFormat format = formatOfRecords;
        int to = endOfRun(bytes, from, end, format);
        if (format != null && format.mayRenegotiate() && header.type() == HANDSHAKE) {
          refuse(context, NO_RENEGOTIATION);
        } else {
          context.fireChannelRead(piece(bytes, from, to));
          onShown(context, format);
        }
        from = to;
      }
    } finally {
      bytes.release();
    }
  }

  private static ByteBuf piece(ByteBuf bytes, int from, int to) {
    return bytes.refCnt() == 1
        ? bytes.setIndex(from, to).retain()
        : bytes.retainedSlice(from, to - from);
  }

  /** Where the last record of the next run ends; an incomplete record ends any run. */
  private int endOfRun(ByteBuf bytes, int from, int end, @Nullable TlsRecordFormat format) {
    int most = goodInRow < RECORDS_BEFORE_RUNS ? 1 : RECORDS_IN_RUN;
    int at = header.endOfRecord(bytes, from, end);
    while (header.isWhole()) {
      count(format);
      if (at == end || records == most || header.type() == HANDSHAKE) {
        break;
      }
      at = header.endOfRecord(bytes, at, end);
    }
    return at;
  }

  private void count(@Nullable TlsRecordFormat format) {
    header.next();
    records++;
    int bytes = format == null ? 0 : Math.max(0, header.contentBytes() - format.overheadBytes());
    expectedBytes += bytes;
    if (bytes == 0) {
      emptyRecords++;
    } else if (bytes < FRAME_HEADER_BYTES) {
      tinyRecords++;
    }
  }

  /** TLS was given a run of records, and perhaps the first part of another one. */
  private void onShown(ChannelHandlerContext context, @Nullable TlsRecordFormat format) {
    if (records == 0) {
      return;
    }
    recordsInPass += records;
    if (format == null) {
      countOfHandshake(context);
    } else if (plainBytes == expectedBytes) {
      chargeAsExpected(context);
    } else {
      goodInRow = 0;
      chargeAsCome(context);
    }
    plainBytes = 0;
    records = 0;
    expectedBytes = 0;
    tinyRecords = 0;
    emptyRecords = 0;
  }

  private void countOfHandshake(ChannelHandlerContext context) {
    recordsOfHandshake += records;
    if (recordsOfHandshake > MAX_RECORDS_OF_HANDSHAKE) {
      refused = true;
      context.fireExceptionCaught(
          new SSLException("too many records before the end of the handshake"));
    }
  }

  /** Each record has brought what its length says. */
  private void chargeAsExpected(ChannelHandlerContext context) {
    int full = records - tinyRecords - emptyRecords;
    goodInRow = emptyRecords > 0 ? 0 : Math.min(goodInRow + records, RECORDS_BEFORE_RUNS);
    if (full > 0) {
      tiny.payBack(TINY_RECORDS_PAID_BACK * full);
    }
    if (tinyRecords > 0) {
      charge(context, AbuseKind.TINY_TLS_RECORD, tiny, tinyRecords);
    }
    if (emptyRecords > 0) {
      charge(context, AbuseKind.EMPTY_TLS_RECORD, empty, emptyRecords);
    }
  }

  /** One record has brought nothing or was padded; in a run, at least one. */
  private void chargeAsCome(ChannelHandlerContext context) {
    if (records > 1) {
      charge(context, AbuseKind.EMPTY_TLS_RECORD, empty, 1);
    } else if (plainBytes == 0) {
      charge(context, AbuseKind.EMPTY_TLS_RECORD, empty, 1 + expectedBytes / EMPTY_RECORD_BYTES);
    } else if (plainBytes < FRAME_HEADER_BYTES) {
      charge(context, AbuseKind.TINY_TLS_RECORD, tiny, 1);
    } else {
      tiny.payBack(TINY_RECORDS_PAID_BACK);
    }
  }

  private void charge(
      ChannelHandlerContext context, AbuseKind offence, AbuseBucket bucket, int count) {
    if (!refused && !bucket.charge(count, clock.getAsLong())) {
      refuse(context, new Violation.OverRate(offence, limits.rate(offence)));
    }
  }

  /** Whatever the peer sends from now on is dropped. */
  private void refuse(ChannelHandlerContext context, Violation violation) {
    refused = true;
    PipeHandler pipe = context.pipeline().get(PipeHandler.class);
    if (pipe == null) {
      context.close();
    } else {
      pipe.onWireFault(violation);
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    recordsInPass = 0;
    context.fireChannelReadComplete();
  }

  /** Counts what comes out of TLS. */
  private final class Plaintext extends InboundHandler {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      plainBytes += ((ByteBuf) message).readableBytes();
      context.fireChannelRead(message);
    }
  }
}
