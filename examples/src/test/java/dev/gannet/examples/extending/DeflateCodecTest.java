package dev.gannet.examples.extending;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.CallContext;
import dev.gannet.api.CompressorRegistry;
import dev.gannet.api.DecompressorRegistry;
import dev.gannet.api.StatusException;
import dev.gannet.examples.greeter.Greeter;
import dev.gannet.examples.greeter.GreeterClient;
import dev.gannet.examples.greeter.HelloReply;
import dev.gannet.examples.greeter.HelloRequest;
import dev.gannet.server.Server;
import dev.gannet.testing.GannetExtension;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages in an encoding of the application's own, in both directions. */
final class DeflateCodecTest {
  private static final DeflateCodec CODEC = new DeflateCodec();

  @RegisterExtension final GannetExtension gannet = GannetExtension.onLoopback();

  /** Returns the name, compressed; fails if the request was not compressed. */
  private record Echo() implements Greeter {
    @Override
    public HelloReply sayHello(HelloRequest request) {
      CallContext call = CallContext.current().orElseThrow();
      assertThat(call.isRequestCompressed()).isTrue();
      call.setCompression(CODEC.messageEncoding());
      return HelloReply.newBuilder().setMessage(request.getName()).build();
    }
  }

  private GreeterClient compressing(Server server) {
    return GreeterClient.of(
            gannet.channelTo(
                server,
                it ->
                    it.compressorRegistry(CompressorRegistry.DEFAULT.with(CODEC))
                        .decompressorRegistry(DecompressorRegistry.DEFAULT.with(CODEC))))
        .withCompression(CODEC.messageEncoding());
  }

  /** The last one becomes hundreds of times smaller, which only a stated length allows. */
  @ParameterizedTest
  @ValueSource(ints = {0, 10, 1000, 1_000_000})
  void messagesAreCompressedBothWays(int length) {
    Server server =
        gannet.serve(it ->
            it.compressorRegistry(CompressorRegistry.DEFAULT.with(CODEC))
                .decompressorRegistry(DecompressorRegistry.DEFAULT.with(CODEC))
                .add(new Echo()));
    HelloRequest request = HelloRequest.newBuilder().setName("x".repeat(length)).build();
    assertThat(compressing(server).sayHello(request).getMessage()).isEqualTo("x".repeat(length));
  }

  @Test
  void aServerWithoutTheEncodingSaysWhichItAccepts() {
    GreeterClient greeter = compressing(gannet.serve(new Echo()));
    assertThatThrownBy(() -> greeter.sayHello(HelloRequest.newBuilder().setName("Ada").build()))
        .isInstanceOf(StatusException.class)
        .hasMessageStartingWith("UNIMPLEMENTED")
        .hasMessageEndingWith("the server accepts identity,gzip");
  }

  @Test
  void theLengthIsKnownWithoutDecompressing() {
    ByteBuffer message = ByteBuffer.allocate(10).putInt(5000).rewind();
    assertThat(CODEC.decompressedBytes(message)).isEqualTo(5000);
    assertThat(message.position()).isZero();
  }
}
