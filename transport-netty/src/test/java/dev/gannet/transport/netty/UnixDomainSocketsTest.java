package dev.gannet.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.CallOptions;
import dev.gannet.api.ChannelCredentials;
import dev.gannet.api.Pem;
import dev.gannet.api.ServerCredentials;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.Status;
import dev.gannet.api.TlsIdentity;
import dev.gannet.api.stub.BlockingCalls;
import dev.gannet.api.stub.Response;
import dev.gannet.client.ManagedChannel;
import dev.gannet.client.ManagedChannelBuilder;
import dev.gannet.server.Server;
import dev.gannet.server.ServerBuilder;
import dev.gannet.transport.http2.Http2Transport;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Servers and channels meet at the file of a Unix domain socket. */
@SuppressWarnings("try") // servers that nobody names, but for their end
@Timeout(60)
@ParameterizedClass
@EnumSource
final class UnixDomainSocketsTest {
  private static final byte[] MESSAGE = {1, 2, 3};

  /** What the sockets are made of. */
  enum Sockets {
    OF_THIS_MACHINE,
    OF_THE_JDK
  }

  private final NettyEventLoops loops;

  @TempDir private Path folder = Path.of("");

  UnixDomainSocketsTest(Sockets sockets) {
    NettyEventLoops.Kind kind =
        sockets == Sockets.OF_THE_JDK
            ? NettyEventLoops.Kind.nio()
            : NettyEventLoops.Kind.ofThisMachine();
    loops = new NettyEventLoops(kind, 2, ByteBufAllocator.DEFAULT);
  }

  private NettyEventLoops loops() {
    return loops;
  }

  @AfterEach
  void end() {
    loops().shutDown(5);
  }

  private static Pem pem(String name) throws IOException {
    try (InputStream in = UnixDomainSocketsTest.class.getResourceAsStream("/tls/" + name)) {
      return Pem.of(in);
    }
  }

  private Path file() {
    return folder.resolve("service.sock");
  }

  private ServerBuilder server() {
    return Server.builder(UnixDomainSocketAddress.of(file()))
        .transport(Http2Transport.over(new NettyPipes(this::loops)))
        .add(EchoService.definition());
  }

  private ManagedChannelBuilder channel() {
    return ManagedChannel.builder("unix://" + file())
        .transport(Http2Transport.over(new NettyPipes(this::loops)));
  }

  @Test
  void callsWorkOverASocketFile() throws Exception {
    try (Server server = server().start();
        ManagedChannel channel = channel().plaintext().build()) {
      assertThat(server.address()).isEqualTo(UnixDomainSocketAddress.of(file()));
      assertThat(server.port()).isEqualTo(-1);
      assertThat(channel.authority()).isEqualTo("localhost");
      Response<byte[]> response =
          BlockingCalls.response(channel, EchoService.UNARY, CallOptions.DEFAULT, MESSAGE);
      assertThat(response.message()).isEqualTo(MESSAGE);
      assertThat(response.peer()).hasValue(server.address());
    }
  }

  @Test
  void theAddressOfAClientHasNoFile() throws Exception {
    BlockingQueue<SocketAddress> peers = new LinkedBlockingQueue<>();
    ServerServiceDefinition service =
        ServerServiceDefinition.of(
            EchoService.NAME,
            List.of(
                ServerMethodDefinition.of(
                    EchoService.UNARY,
                    (call, headers) -> {
                      peers.add(call.context().peer());
                      return EchoService.begin(call, headers);
                    })));
    try (Server server =
            Server.builder(UnixDomainSocketAddress.of(file()))
                .transport(Http2Transport.over(new NettyPipes(this::loops)))
                .add(service)
                .start();
        ManagedChannel channel =
            ManagedChannel.builder(server.address())
                .transport(Http2Transport.over(new NettyPipes(this::loops)))
                .plaintext()
                .build()) {
      assertThat(Caller.call(channel, MESSAGE).isOk()).isTrue();
      assertThat(peers).containsExactly(UnixDomainSocketAddress.of(""));
    }
  }

  @Test
  void tlsWorksOverASocketFile() throws Exception {
    TlsIdentity identity = TlsIdentity.of(pem("localhost.pem"), pem("localhost.key"));
    ChannelCredentials trusting = ChannelCredentials.tls().withTrust(pem("localhost.pem"));
    try (Server server = server().credentials(ServerCredentials.tls(identity)).start();
        ManagedChannel channel = channel().credentials(trusting).build()) {
      Response<byte[]> response =
          BlockingCalls.response(channel, EchoService.UNARY, CallOptions.DEFAULT, MESSAGE);
      assertThat(response.sslSession()).isPresent();
    }
  }

  @Test
  void theFileIsRemovedWithItsServerAndCreatedByTheNext() throws Exception {
    try (ManagedChannel channel = channel().plaintext().build()) {
      for (int i = 0; i < 2; i++) {
        try (Server server = server().start()) {
          assertThat(file()).exists();
          assertThat(Caller.call(channel, MESSAGE).isOk()).isTrue();
        }
        assertThat(file()).doesNotExist();
      }
    }
  }

  @Test
  void aFileThatAKilledServerLeftIsReplaced() throws Exception {
    try (ServerSocketChannel killed = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      killed.bind(UnixDomainSocketAddress.of(file()));
    }
    assertThat(file()).exists();
    try (Server server = server().start();
        ManagedChannel channel = channel().plaintext().build()) {
      assertThat(Caller.call(channel, MESSAGE).isOk()).isTrue();
    }
  }

  @Test
  void aFileOnWhichAnotherServerListensIsInUse() throws Exception {
    try (Server first = server().start();
        ManagedChannel channel = channel().plaintext().build()) {
      assertThatThrownBy(() -> server().start())
          .isInstanceOf(IOException.class)
          .hasMessage("cannot listen on " + file() + ": Address already in use");
      assertThat(Caller.call(channel, MESSAGE).isOk()).isTrue();
    }
  }

  @Test
  void aServerWhoseLoopEndsListensOnItsFileAgain() throws Exception {
    Logger log = Logger.getLogger("dev.gannet");
    log.setLevel(Level.OFF);
    try (BreakableLoops ofServer = new BreakableLoops(loops().kind(), 1);
        Server server =
            Server.builder(UnixDomainSocketAddress.of(file()))
                .transport(Http2Transport.over(ofServer.pipes()))
                .add(EchoService.definition())
                .start();
        ManagedChannel channel = channel().plaintext().build()) {
      Caller open = Caller.begin(channel, EchoService.STREAM, MESSAGE).awaitAnswer();
      ofServer.endAll(new OutOfMemoryError("simulated"));
      assertThat(open.status().code()).isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(Caller.call(channel, MESSAGE).isOk()).isTrue();
      assertThat(server.address()).isEqualTo(UnixDomainSocketAddress.of(file()));
    } finally {
      log.setLevel(null);
    }
  }

  @Test
  void aFileThatIsNoSocketIsKept() throws Exception {
    Files.writeString(file(), "precious");
    assertThatThrownBy(() -> server().start())
        .isInstanceOf(IOException.class)
        .hasMessage("cannot listen on " + file() + ": a file with this name already exists");
    assertThat(file()).hasContent("precious");
  }

  @Test
  void theStatusOfACallSaysThatThereIsNoFile() throws Exception {
    try (ManagedChannel channel = channel().plaintext().build()) {
      Caller caller = Caller.begin(channel, EchoService.UNARY, MESSAGE);
      caller.halfClose();
      Status status = caller.status();
      assertThat(status.code()).isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(status.description())
          .hasValueSatisfying(it ->
              assertThat(it).contains(file().toString()).contains("No such file or directory"));
    }
  }
}
