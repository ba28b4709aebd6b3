package dev.gannet.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.transport.EventLoops;
import dev.gannet.client.ManagedChannel;
import dev.gannet.server.Server;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Applications may serve connections on event loops of their own. */
@Timeout(60)
final class OwnLoopsTest {
  private static final byte[] MESSAGE = {1, 2, 3};

  /** Where events of calls ran: on the loops, as its server dispatches inline. */
  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

  private Server serve(EventLoops loops) throws IOException {
    MethodDescriptor<byte[], byte[]> method = EchoService.UNARY;
    return Server.builder(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
        .eventLoops(loops)
        .dispatch(dev.gannet.api.Dispatch.on(Runnable::run))
        .add(
            ServerServiceDefinition.of(
                EchoService.NAME, List.of(ServerMethodDefinition.of(method, this::begin))))
        .start();
  }

  private ServerCall.Listener<byte[]> begin(ServerCall<byte[], byte[]> call, Metadata headers) {
    threads.add(Thread.currentThread());
    return EchoService.begin(call, headers);
  }

  private static ManagedChannel connect(Server server, EventLoops loops) {
    return ManagedChannel.builder("127.0.0.1", server.port()).plaintext().eventLoops(loops).build();
  }

  @Test
  void allConnectionsAreServedByTheOwnThreadsWhichEndWithTheLoops() throws Exception {
    EventLoops two = EventLoops.ofThreads(2);
    try (EventLoops ofClients = EventLoops.ofThreads(1);
        Server server = serve(two)) {
      List<ManagedChannel> channels = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        ManagedChannel channel = connect(server, ofClients);
        channels.add(channel);
        assertThat(Caller.call(channel, MESSAGE).isOk()).isTrue();
      }
      channels.forEach(ManagedChannel::close);
    }
    assertThat(threads).hasSize(2);
    two.close();
    for (Thread thread : threads) {
      thread.join();
    }
    assertThatThrownBy(() -> serve(two)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aServerCannotStartOnClosedLoops() {
    EventLoops loops = EventLoops.ofThreads(1);
    loops.close();
    loops.close();
    assertThatThrownBy(() -> serve(loops))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("EventLoops(1 threads) is closed");
  }

  @Test
  void theLoopsOfTheProcessCannotBeClosed() throws Exception {
    EventLoops process = EventLoops.ofProcess();
    assertThat(process.threads()).isEqualTo(Runtime.getRuntime().availableProcessors());
    assertThatThrownBy(process::close).isInstanceOf(UnsupportedOperationException.class);
    try (Server server = serve(process);
        ManagedChannel channel = connect(server, process)) {
      assertThat(Caller.call(channel, MESSAGE).isOk()).isTrue();
    }
    assertThatThrownBy(() -> EventLoops.ofThreads(0)).hasMessageContaining("1 to 1024: 0");
  }
}
