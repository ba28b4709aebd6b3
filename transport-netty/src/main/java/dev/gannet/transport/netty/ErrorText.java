package dev.gannet.transport.netty;

import dev.gannet.transport.PeerText;
import io.netty.channel.ConnectTimeoutException;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.NotSslRecordException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.security.cert.CertificateException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Error messages about connections, for statuses and logs. */
final class ErrorText {
  static final String NO_HTTP2 = "the other side speaks TLS but does not offer HTTP/2 (ALPN h2)";

  /**
   * The messages of TLS libraries for the alert of RFC 7301 §3.2: they name it, or, as the JDK of
   * Java 21 does when it sends the alert, use this text.
   */
  private static final List<String> NO_APPLICATION_PROTOCOL =
      List.of("no_application_protocol", "no matching application layer protocol");

  /**
   * The alert of RFC 8446 §6.1; and the message of the JDK of Java 21 for an unencrypted alert, two
   * bytes where encrypted ones are expected, which clients send that have no key yet.
   */
  private static final List<String> GAVE_UP =
      List.of("user_canceled", "Insufficient buffer remaining for AEAD cipher fragment (2)");

  private ErrorText() {}

  static String of(Throwable cause) {
    @Nullable Throwable certificate = find(cause, CertificateException.class);
    if (certificate != null) {
      return "the certificate is not accepted: " + PeerText.escaped(deepest(certificate));
    }
    if (find(cause, NotSslRecordException.class) != null) {
      return "the other side does not speak TLS on this port (is it plaintext?)";
    }
    if (Descriptors.areWanting(cause)) {
      return Descriptors.ofThisProcess().words("")
          + "; raise the limit of open files (ulimit -n) or use fewer connections";
    }
    Throwable at =
        cause instanceof DecoderException && cause.getCause() != null ? cause.getCause() : cause;
    return switch (at) {
      case ClosedChannelException closed -> "the connection was closed by the other side";
      case ConnectTimeoutException timeout -> "connecting took too long: " + timeout.getMessage();
      case UnknownHostException unknown -> "unknown host: " + unknown.getMessage();
      case SSLException tls -> ofTls(deepest(tls));
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
    try {
      return of(cause);
    } catch (Throwable e) {
      return cause.getClass().getName();
    }
  }

  private static String ofTls(String why) {
    String lowerCase = why.toLowerCase(Locale.ROOT);
    if (NO_APPLICATION_PROTOCOL.stream().anyMatch(lowerCase::contains)) {
      return NO_HTTP2;
    }
    return GAVE_UP.stream().anyMatch(why::contains)
        ? "the other side gave up during the TLS handshake"
        : "TLS failed: " + PeerText.escaped(why);
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

  private static String deepest(Throwable thrown) {
    Throwable at = thrown;
    while (at.getCause() != null && at.getCause().getMessage() != null) {
      at = at.getCause();
    }
    return String.valueOf(at.getMessage());
  }

  private static @Nullable Throwable find(Throwable thrown, Class<?> type) {
    for (Throwable at = thrown; at != null; at = at.getCause()) {
      if (type.isInstance(at)) {
        return at;
      }
    }
    return null;
  }
}
