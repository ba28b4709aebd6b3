package dev.gannet.zstd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import dev.gannet.api.CallOptions;
import dev.gannet.api.Compressor;
import dev.gannet.api.CompressorRegistry;
import dev.gannet.api.DecompressorRegistry;
import dev.gannet.api.Marshaller;
import dev.gannet.api.Marshallers;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.api.stub.BidiStreamingCall;
import dev.gannet.api.stub.BlockingCalls;
import dev.gannet.api.stub.Response;
import dev.gannet.client.ManagedChannel;
import dev.gannet.client.ManagedChannelBuilder;
import dev.gannet.server.Server;
import dev.gannet.server.ServerBuilder;
import dev.gannet.transport.inprocess.InProcessAddress;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls whose messages are compressed with zstd, between channels and servers. */
@Timeout(60)
final class ZstdCallsTest {
  private static final Marshaller<byte[]> BYTES = Marshallers.bytes();
  private static final MethodDescriptor<byte[], byte[]> ECHO =
      MethodDescriptor.of(MethodType.UNARY, "test.Echo/Echo", BYTES, BYTES);
  private static final CallOptions COMPRESSED = CallOptions.DEFAULT.withCompression("zstd");

  /** Makes what says to be much longer than messages may be. */
  private record Bomb() implements Compressor {
    @Override
    public String messageEncoding() {
      return "zstd";
    }

    @Override
    public void compress(ByteBuffer message, OutputStream to) throws IOException {
      to.write(Zstd.compress(new byte[100 << 20]));
    }
  }

  private static final MethodDescriptor<byte[], byte[]> STREAM =
      MethodDescriptor.of(MethodType.BIDI_STREAMING, "test.Echo/Stream", BYTES, BYTES);

  /** Answers each request with itself, compressed, and says in the trailers how the last came. */
  private record Echo(ServerCall<byte[], byte[]> call) implements ServerCall.Listener<byte[]> {
    private static final Metadata.Key<String> CAME = Metadata.Key.ascii("came");

    static ServerCall.Listener<byte[]> begin(ServerCall<byte[], byte[]> call, Metadata headers) {
      call.setCompression("zstd");
      call.request(2);
      return new Echo(call);
    }

    @Override
    public void onMessage(byte[] message) {
      call.sendMessage(message);
      call.request(1);
    }

    @Override
    public void onHalfClose() {
      Metadata trailers = new Metadata();
      trailers.add(CAME, call.context().isRequestCompressed() ? "compressed" : "plain");
      call.close(Status.OK, trailers);
    }
  }

  private static final ServerServiceDefinition SERVICE =
      ServerServiceDefinition.of(
          "test.Echo",
          List.of(
              ServerMethodDefinition.of(ECHO, Echo::begin),
              ServerMethodDefinition.of(STREAM, Echo::begin)));

  private static ServerBuilder server(SocketAddress address) {
    return Server.builder(address)
        .decompressorRegistry(DecompressorRegistry.DEFAULT.with(ZstdCodec.DEFAULT))
        .compressorRegistry(CompressorRegistry.DEFAULT.with(ZstdCodec.DEFAULT))
        .add(SERVICE);
  }

  private static ManagedChannelBuilder channel(Server server) {
    return ManagedChannel.builder(server.address())
        .plaintext()
        .decompressorRegistry(DecompressorRegistry.DEFAULT.with(ZstdCodec.DEFAULT))
        .compressorRegistry(CompressorRegistry.DEFAULT.with(ZstdCodec.DEFAULT));
  }

  private static SocketAddress onLoopback() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  @Test
  void compressionAlsoWorksIfTheServerCountsCalls() throws Exception {
    try (Server server = server(onLoopback()).countCalls().start();
        ManagedChannel channel = channel(server).build()) {
      Response<byte[]> response = BlockingCalls.response(channel, ECHO, COMPRESSED, new byte[1000]);
      assertThat(response.message()).hasSize(1000);
      assertThat(response.trailers().get(Echo.CAME)).hasValue("compressed");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 10, 1_000_000})
  void requestAndResponseAreCompressed(int size) throws Exception {
    byte[] message = new byte[size];
    try (Server server = server(onLoopback()).start();
        ManagedChannel channel = channel(server).build()) {
      Response<byte[]> response = BlockingCalls.response(channel, ECHO, COMPRESSED, message);
      assertThat(response.message()).isEqualTo(message);
      assertThat(response.trailers().get(Echo.CAME)).hasValue("compressed");
    }
  }

  @Test
  void eachMessageOfAStreamMayBeCompressedOrNot() throws Exception {
    try (Server server = server(onLoopback()).start();
        ManagedChannel channel = channel(server).build();
        BidiStreamingCall<byte[], byte[]> call =
            BlockingCalls.bidiStreaming(channel, STREAM, COMPRESSED)) {
      for (int size = 1; size < 1_000_000; size *= 10) {
        call.send(new byte[size]);
        assertThat(call.next()).hasSize(size);
      }
      call.halfClose();
      assertThat(call.hasNext()).isFalse();
      assertThat(call.trailers().get(Echo.CAME)).hasValue("compressed");
    }
  }

  @Test
  void aClientWithoutZstdGetsUncompressedResponses() throws Exception {
    try (Server server = server(onLoopback()).start();
        ManagedChannel channel = ManagedChannel.builder(server.address()).plaintext().build()) {
      Response<byte[]> response =
          BlockingCalls.response(channel, ECHO, CallOptions.DEFAULT, new byte[1000]);
      assertThat(response.message()).hasSize(1000);
      assertThat(response.trailers().get(Echo.CAME)).hasValue("plain");
      assertThatThrownBy(() -> BlockingCalls.response(channel, ECHO, COMPRESSED, new byte[1]))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("unknown compression: zstd");
    }
  }

  @Test
  void aServerWithoutZstdAnswersUnimplemented() throws Exception {
    try (Server server = Server.builder(onLoopback()).add(SERVICE).start();
        ManagedChannel channel = channel(server).build()) {
      assertThatThrownBy(() -> BlockingCalls.response(channel, ECHO, COMPRESSED, new byte[1]))
          .isInstanceOfSatisfying(
              StatusException.class,
              it -> assertThat(it.status().code()).isEqualTo(Status.Code.UNIMPLEMENTED))
          .hasMessageContaining("encoding");
    }
  }

  @Test
  void aBombIsRefusedUnread() throws Exception {
    try (Server server = server(onLoopback()).start();
        ManagedChannel channel =
            channel(server)
                .compressorRegistry(CompressorRegistry.DEFAULT.with(new Bomb()))
                .build()) {
      assertThatThrownBy(() -> BlockingCalls.response(channel, ECHO, COMPRESSED, new byte[1]))
          .isInstanceOfSatisfying(
              StatusException.class,
              it -> assertThat(it.status().code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED))
          .hasMessageContaining("maxInboundMessageBytes (4194304)");
    }
  }

  @Test
  void anInProcessCallMayRequestZstd() throws Exception {
    try (Server server = server(InProcessAddress.of("zstd")).start();
        ManagedChannel channel = channel(server).build()) {
      Response<byte[]> response = BlockingCalls.response(channel, ECHO, COMPRESSED, new byte[1000]);
      assertThat(response.message()).hasSize(1000);
    }
  }
}
