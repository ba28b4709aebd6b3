package dev.gannet.benchmarks.jmh.stubs;

import dev.gannet.api.BindableService;
import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.api.ClientCall;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.benchmarks.jmh.wide.Request01;
import dev.gannet.benchmarks.jmh.wide.Wide;
import dev.gannet.benchmarks.jmh.wide.WideClient;

/** A program that makes a client or a service of Gannet's generated classes, and ends. */
final class GannetStart {
  private GannetStart() {}

  /** The end of the way that is timed. */
  private static final class Arrived extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private record Nowhere() implements Channel {
    @Override
    public <Q, R> ClientCall<Q, R> newCall(MethodDescriptor<Q, R> method, CallOptions options) {
      throw new Arrived();
    }

    @Override
    public String authority() {
      return "nowhere";
    }
  }

  private record Service() implements Wide {}

  /** Takes the name of a {@link Side}. */
  public static void main(String[] arguments) {
    Channel nowhere = new Nowhere();
    BindableService service = new Service();
    StartTimer timer = StartTimer.start();
    switch (Side.valueOf(arguments[0])) {
      case CLIENT -> {
        try {
          throw new IllegalStateException(
              "answered by nobody: "
                  + WideClient.of(nowhere).method01(Request01.getDefaultInstance()));
        } catch (Arrived e) {
          timer.stop();
        }
      }
      case SERVER -> {
        int methods = service.bindService().methods().size();
        timer.stop();
        Side.checkMethods(methods);
      }
    }
  }
}
