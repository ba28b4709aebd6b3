package dev.gannet.conformance.gauntlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.client.ManagedChannel;
import dev.gannet.conformance.process.JavaCommands;
import io.grpc.testing.integration.Messages.SimpleRequest;
import io.grpc.testing.integration.TestServiceClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** A server whose clients use up its descriptors (CVE-2023-4785), in a process with few of them. */
@EnabledOnOs(OS.LINUX)
final class DescriptorsTest {
  private static final int DESCRIPTORS = 300;
  private static final List<String> FEW_DESCRIPTORS =
      List.of("sh", "-c", "ulimit -n " + DESCRIPTORS + " && exec \"$@\"", "sh");
  private static final Pattern LISTENING = Pattern.compile("listening on ports (\\d+) \\d+");
  private static final Duration WATCHED = Duration.ofSeconds(3);
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @Test
  void withoutDescriptorsConnectedClientsAreServedAndOthersLater()
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(FEW_DESCRIPTORS);
    command.addAll(JavaCommands.oursQuickly("gauntlet-server"));
    try (ChildProgram server = ChildProgram.start(command)) {
      Matcher said = server.await(LISTENING);
      int port = Integer.parseInt(said.group(1));
      try (ManagedChannel early = connect(port)) {
        serve(early);
        exhaust(server, port, early);
        try (ManagedChannel late = connect(port)) {
          serve(late);
        }
      }
    }
  }

  private static void exhaust(ChildProgram server, int port, ManagedChannel honest)
      throws IOException, InterruptedException {
    List<Socket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < DESCRIPTORS; i++) {
        sockets.add(new Socket(InetAddress.getLoopbackAddress(), port));
      }
      serve(honest);
      Duration before = processorTimeOf(server);
      Thread.sleep(WATCHED.toMillis());
      Duration spent = processorTimeOf(server).minus(before);
      assertThat(spent)
          .as("it does not try in vain without a pause")
          .isLessThan(WATCHED.dividedBy(2));
      serve(honest);
    } finally {
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }

  private static Duration processorTimeOf(ChildProgram program) {
    return ProcessHandle.of(program.pid())
        .flatMap(it -> it.info().totalCpuDuration())
        .orElseThrow();
  }

  private static ManagedChannel connect(int port) {
    return ManagedChannel.builder("127.0.0.1", port).plaintext().build();
  }

  private static void serve(ManagedChannel channel) {
    TestServiceClient.of(channel)
        .withDeadline(PATIENCE)
        .withWaitForReady()
        .unaryCall(SimpleRequest.getDefaultInstance());
  }
}
