package dev.gannet.transport.netty;

import dev.gannet.transport.netty.TlsErrorText.Side;
import io.netty.channel.ConnectTimeoutException;
import io.netty.handler.codec.DecoderException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.util.Objects;
import java.util.Optional;

/** Error messages about connections, for statuses and logs. */
final class ErrorText {
  private ErrorText() {}

  static String of(Throwable cause) {
    return of(cause, Side.CLIENT);
  }

  /**
   * The text for a failure of a connection.
   *
   * @param side of this process, for failures of TLS
   */
  static String of(Throwable cause, Side side) {
    Optional<String> tls = TlsErrorText.of(cause, side);
    if (tls.isPresent()) {
      return tls.get();
    }
    if (Descriptors.areWanting(cause)) {
      return Descriptors.ofThisProcess().describe("")
          + "; raise the limit of open files (ulimit -n) or use fewer connections";
    }
    Throwable at =
        cause instanceof DecoderException && cause.getCause() != null ? cause.getCause() : cause;
    return switch (at) {
      case ClosedChannelException closed -> "the connection was closed by the other side";
      case ConnectTimeoutException timeout -> "connecting took too long: " + timeout.getMessage();
      case UnknownHostException unknown -> "unknown host: " + unknown.getMessage();
      case FileNotFoundException missing -> "No such file or directory"; // of native sockets
      case IOException io -> plain(io);
      default -> at.toString();
    };
  }

  /**
   * Like {@link #of}, but works even if that fails, because memory is short or because of the
   * exception itself.
   */
  static String whateverComes(Throwable cause) {
    return whateverComes(cause, Side.CLIENT);
  }

  static String whateverComes(Throwable cause, Side side) {
    try {
      return of(cause, side);
    } catch (Throwable e) {
      return cause.getClass().getName();
    }
  }

  /** Native sockets put the name and number of a system call before the text. */
  private static String plain(IOException io) {
    return Objects.requireNonNullElse(io.getMessage(), "the connection broke")
        .replaceFirst("^.*error\\(-?\\d+\\): ", "");
  }

  /** An address as people write it. */
  static String of(SocketAddress address) {
    return address instanceof InetSocketAddress inet
        ? inet.getHostString() + ":" + inet.getPort()
        : address.toString();
  }

  /** Whether the cause is the network or the peer, and not this program. */
  static boolean isOfTheNetwork(Throwable cause) {
    return cause instanceof IOException || cause instanceof DecoderException;
  }
}
