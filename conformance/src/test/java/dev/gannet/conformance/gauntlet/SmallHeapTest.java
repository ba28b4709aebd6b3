package dev.gannet.conformance.gauntlet;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.gannet.api.CallOptions;
import dev.gannet.api.ClientCall;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.client.ManagedChannel;
import io.grpc.testing.integration.Messages.Payload;
import io.grpc.testing.integration.Messages.SimpleRequest;
import io.grpc.testing.integration.Messages.SimpleResponse;
import io.grpc.testing.integration.TestServiceClient;
import io.grpc.testing.integration.TestServiceMethods;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

/**
 * A server with little memory refuses calls that would not fit in, and so comes to no want of
 * memory: clients that send and ask for 1 MiB at once are more than its heap has room for.
 */
final class SmallHeapTest {
  private static final int CLIENTS = 16;
  private static final int CALLS_PER_SECOND = 300;
  private static final int MAX_CALLS_OF_CLIENT = 8;
  private static final int BYTES = 1 << 20;
  private static final Duration LOAD = Duration.ofSeconds(6);
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final List<String> SMALL_HEAP = List.of("-Xmx48m", "-XX:+ExitOnOutOfMemoryError");

  private static final SimpleRequest LARGE =
      SimpleRequest.newBuilder()
          .setPayload(Payload.newBuilder().setBody(ByteString.copyFrom(new byte[BYTES])))
          .setResponseSize(BYTES)
          .build();
  private static final SimpleRequest SMALL = SimpleRequest.newBuilder().setResponseSize(9).build();

  private final Map<Status.Code, LongAdder> ends = new ConcurrentHashMap<>();

  @Test
  void moreLargeCallsThanFitAreRefusedAndSmallOnesServed()
      throws IOException, InterruptedException {
    try (ServerProgram server = ServerProgram.start(ServerKind.GANNET.command(SMALL_HEAP));
        ManagedChannel small = channel(server)) {
      List<ManagedChannel> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        clients.add(channel(server));
      }
      try {
        call(small, SMALL);
        load(clients, small);
      } finally {
        clients.forEach(ManagedChannel::close);
      }
      assertThat(server.isAlive()).as("no want of memory").isTrue();
      assertThat(call(small, LARGE)).isEqualTo(BYTES);
      assertThat(ends).containsKey(Status.Code.OK);
      Set<Status.Code> others = EnumSet.copyOf(ends.keySet());
      others.removeAll(EnumSet.of(Status.Code.OK, Status.Code.RESOURCE_EXHAUSTED));
      assertThat(others).as("%s", ends).isEmpty();
    }
  }

  private static ManagedChannel channel(ServerProgram server) {
    return ManagedChannel.builder("127.0.0.1", server.port()).plaintext().build();
  }

  private static int call(ManagedChannel channel, SimpleRequest request) {
    return TestServiceClient.of(channel)
        .withDeadline(PATIENCE)
        .unaryCall(request)
        .getPayload()
        .getBody()
        .size();
  }

  /** Large calls at a fixed rate, as far as each client may have so many, and small ones. */
  private void load(List<ManagedChannel> clients, ManagedChannel small)
      throws InterruptedException {
    List<Semaphore> places = new ArrayList<>();
    clients.forEach(client -> places.add(new Semaphore(MAX_CALLS_OF_CLIENT)));
    long intervalNanos = TimeUnit.SECONDS.toNanos(1) / CALLS_PER_SECOND;
    long calls = LOAD.toNanos() / intervalNanos;
    long dueNanos = System.nanoTime();
    for (int i = 0; i < calls; i++) {
      TimeUnit.NANOSECONDS.sleep(dueNanos - System.nanoTime());
      dueNanos += intervalNanos;
      Semaphore place = places.get(i % CLIENTS);
      if (place.tryAcquire()) {
        begin(clients.get(i % CLIENTS), place);
      }
      if (i % CALLS_PER_SECOND == 0) {
        assertThat(call(small, SMALL)).isEqualTo(SMALL.getResponseSize());
      }
    }
    for (Semaphore place : places) {
      assertThat(place.tryAcquire(MAX_CALLS_OF_CLIENT, 2, TimeUnit.MINUTES)).isTrue();
    }
  }

  private void begin(ManagedChannel client, Semaphore place) {
    ClientCall<SimpleRequest, SimpleResponse> call =
        client.newCall(TestServiceMethods.UNARY_CALL, CallOptions.DEFAULT);
    call.start(new End(ends, place));
    call.request(1);
    call.sendMessage(LARGE);
    call.halfClose();
  }

  private record End(Map<Status.Code, LongAdder> ends, Semaphore place)
      implements ClientCall.Listener<SimpleResponse> {
    @Override
    public void onClose(Status status, Metadata trailers) {
      ends.computeIfAbsent(status.code(), first -> new LongAdder()).increment();
      place.release();
    }
  }
}
