package dev.gannet.transport.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.SslHandler;

/**
 * Stands before TLS 1.2 and sees to it that the peer does not negotiate again once the connection
 * is set up: HTTP/2 forbids that (RFC 9113 §9.2.1), it costs far more to answer than to ask for,
 * and the JDK's TLS would go along. The headers of records are in the clear. Leaves where TLS 1.3
 * is agreed upon, which knows no renegotiation. A first record that comes with the last one of the
 * handshake may be answered once; what must follow it is refused.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what becomes of a close shows in the channel's end
final class NoRenegotiation extends InboundHandler {
  private static final String RULE = "TLS is not to be negotiated again (RFC 9113 §9.2.1)";
  private static final String RENEGOTIABLE = "TLSv1.2";

  /** The content type of a record (RFC 5246 §6.2.1). */
  private static final int HANDSHAKE = 22;

  private static final int HEADER_BYTES = 5;

  private final SslHandler tls;
  private boolean isSetUp;
  private boolean refused;
  private int headerBytes;
  private int length;
  private int leftOfRecord;

  NoRenegotiation(SslHandler tls) {
    this.tls = tls;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    tls.handshakeFuture()
        .addListener(done -> {
          isSetUp = done.isSuccess();
          if (isSetUp && !tls.engine().getSession().getProtocol().equals(RENEGOTIABLE)) {
            context.pipeline().remove(this);
          }
        });
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf bytes = (ByteBuf) message;
    if (!refused && !asksAgain(bytes)) {
      context.fireChannelRead(bytes);
      return;
    }
    bytes.release();
    if (!refused) {
      refused = true;
      refuse(context);
    }
  }

  private static void refuse(ChannelHandlerContext context) {
    PipeHandler pipe = context.pipeline().get(PipeHandler.class);
    if (pipe == null) {
      context.close();
    } else {
      pipe.onWireFault(RULE);
    }
  }

  /** Reads headers of records and skips what they carry. */
  private boolean asksAgain(ByteBuf bytes) {
    int end = bytes.writerIndex();
    int at = bytes.readerIndex();
    while (at < end) {
      if (leftOfRecord > 0) {
        int skipped = Math.min(leftOfRecord, end - at);
        leftOfRecord -= skipped;
        at += skipped;
      } else if (isNewRecordOfHandshake(bytes.getUnsignedByte(at))) {
        return true;
      } else {
        readHeader(bytes.getUnsignedByte(at));
        at++;
      }
    }
    return false;
  }

  private boolean isNewRecordOfHandshake(int octet) {
    return isSetUp && headerBytes == 0 && octet == HANDSHAKE;
  }

  /** The last two octets of a header are the length of what follows. */
  private void readHeader(int octet) {
    headerBytes++;
    if (headerBytes == HEADER_BYTES - 1) {
      length = octet << Byte.SIZE;
    } else if (headerBytes == HEADER_BYTES) {
      leftOfRecord = length | octet;
      headerBytes = 0;
    }
  }
}
