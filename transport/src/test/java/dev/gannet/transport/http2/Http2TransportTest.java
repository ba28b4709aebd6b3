package dev.gannet.transport.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.ChannelCredentials;
import dev.gannet.api.SecurityLevel;
import dev.gannet.api.ServerCredentials;
import dev.gannet.transport.Listening;
import dev.gannet.transport.Scheduler;
import dev.gannet.transport.TransportProvider;
import dev.gannet.transport.pipe.PipeProvider;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import org.junit.jupiter.api.Test;

/** HTTP/2 leads where its pipes lead, and is as safe as they are. */
final class Http2TransportTest {
  private final TransportProvider transport = Http2Transport.over(new FilePipes());

  /** Pipes between files, which nothing protects. */
  private record FilePipes() implements PipeProvider {
    @Override
    public int priority() {
      return 7;
    }

    @Override
    public boolean knows(SocketAddress address) {
      return address instanceof UnixDomainSocketAddress;
    }

    @Override
    public ChannelCredentials defaultCredentials() {
      return ChannelCredentials.insecure();
    }

    @Override
    public SecurityLevel securityLevel(ChannelCredentials credentials) {
      return SecurityLevel.NONE;
    }

    @Override
    public Connector connector(ChannelCredentials credentials) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Listening listen(SocketAddress address, ServerCredentials credentials, Accepting then) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Scheduler scheduler() {
      throw new UnsupportedOperationException();
    }
  }

  @Test
  void itsPriorityIsThatOfItsPipes() {
    assertThat(transport.priority()).isEqualTo(7);
  }

  @Test
  void itsCredentialsAreThoseOfItsPipes() {
    assertThat(transport.defaultCredentials()).isEqualTo(ChannelCredentials.insecure());
    assertThat(transport.securityLevel(ChannelCredentials.tls())).isEqualTo(SecurityLevel.NONE);
  }
}
