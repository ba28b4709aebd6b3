package dev.gannet.testing;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.api.ClientCall;
import dev.gannet.api.ClientCallTracer;
import dev.gannet.api.ClientInterceptor;
import dev.gannet.api.ClientStreamTracer;
import dev.gannet.api.ForwardingClientCall;
import dev.gannet.api.ForwardingClientCallListener;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.ServerStreamTracer;
import dev.gannet.api.Status;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A readable log of the calls of a test: each call's start, headers, messages, attempts and end, as
 * its client saw them, and each request as its server saw it.
 *
 * <pre>
 *   +0 ms #1 demo.Greeter/SayHello
 *   +1 ms #1 -&gt; message: name: "Ada"
 *   +1 ms #1 attempt on localhost/127.0.0.1:40123
 *   +3 ms server: /demo.Greeter/SayHello from /127.0.0.1:55432
 *   +5 ms server: /demo.Greeter/SayHello answered OK
 *   +5 ms #1 &lt;- message: message: "Hello Ada"
 *   +6 ms #1 ended OK
 * </pre>
 *
 * <p>It is written by tracers and an interceptor, so it shows calls, not frames or bytes: messages
 * are shown as texts, the first 200 characters of each. Headers are shown as the application has
 * set them, also those that are {@linkplain Metadata left out} when they are sent. It keeps the
 * last 2,000 lines. Safe for all threads.
 */
public final class Transcript {
  private static final int MAX_LINES = 2_000;
  private static final int MAX_TEXT = 200;

  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<String> lines = new ArrayDeque<>();
  private final AtomicInteger calls = new AtomicInteger();
  private final LongSupplier nanoTime;
  private final long beganNanos;
  private final CallOptions.Key<Integer> number = CallOptions.Key.of("number in transcript", 0);
  private int dropped;

  Transcript(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.beganNanos = nanoTime.getAsLong();
  }

  /** The lines so far, the oldest first. */
  public List<String> lines() {
    lock.lock();
    try {
      return List.copyOf(lines);
    } finally {
      lock.unlock();
    }
  }

  /** The lines so far; the first line says how many were dropped. */
  @Override
  public String toString() {
    lock.lock();
    try {
      String head = dropped == 0 ? "" : "... " + dropped + " lines before\n";
      return head + String.join("\n", lines);
    } finally {
      lock.unlock();
    }
  }

  private void add(String line) {
    long millis = TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong() - beganNanos);
    lock.lock();
    try {
      lines.add("+" + millis + " ms " + line);
      if (lines.size() > MAX_LINES) {
        lines.removeFirst();
        dropped++;
      }
    } finally {
      lock.unlock();
    }
  }

  private static String text(@Nullable Object value) {
    String whole = String.valueOf(value).strip();
    boolean isCut = whole.length() > MAX_TEXT;
    // Cut first: the time that joining takes grows with the square of the white space.
    String shown = (isCut ? whole.substring(0, MAX_TEXT) : whole).replaceAll("\\s*\\R\\s*", ", ");
    return isCut ? shown + "... (" + whole.length() + " characters)" : shown;
  }

  /** Records messages of a channel; the innermost interceptor. */
  ClientInterceptor messages() {
    return new Messages();
  }

  /** Records attempts and ends of calls of a channel. */
  ClientCallTracer.Factory ofClients() {
    return call -> new ClientSide("#" + call.options().option(number));
  }

  /** Records requests of a server. */
  ServerStreamTracer.Factory ofServers() {
    return call -> {
      String what = "server: " + (call.path().isEmpty() ? "?" : call.path());
      add(what + " from " + call.peer() + fields(", headers ", call.headers()));
      return new ServerSide(what);
    };
  }

  private static String fields(String before, Metadata metadata) {
    return metadata.isEmpty() ? "" : before + text(metadata);
  }

  private final class Messages implements ClientInterceptor {
    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(
        MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
      int call = calls.incrementAndGet();
      return new SeenCall<>(next.newCall(method, options.withOption(number, call)), method, call);
    }
  }

  private final class SeenCall<Q, R> extends ForwardingClientCall<Q, R> {
    private final MethodDescriptor<Q, R> method;
    private final String name;

    SeenCall(ClientCall<Q, R> delegate, MethodDescriptor<Q, R> method, int number) {
      super(delegate);
      this.method = method;
      this.name = "#" + number;
    }

    @Override
    public void start(Listener<? super R> listener, Metadata headers) {
      add(name + " " + method.fullMethodName() + fields(", headers ", headers));
      super.start(new SeenResponses<>(listener, name), headers);
    }

    @Override
    public void sendMessage(Q message) {
      add(name + " -> message: " + text(message));
      super.sendMessage(message);
    }

    @Override
    public void cancel(String message) {
      add(name + " cancelled: " + text(message));
      super.cancel(message);
    }

    @Override
    public void cancel(String message, Throwable cause) {
      add(name + " cancelled: " + text(message));
      super.cancel(message, cause);
    }
  }

  private final class SeenResponses<R> extends ForwardingClientCallListener<R> {
    private final String name;

    SeenResponses(ClientCall.Listener<? super R> delegate, String name) {
      super(delegate);
      this.name = name;
    }

    @Override
    public void onMessage(R message) {
      add(name + " <- message: " + text(message));
      super.onMessage(message);
    }
  }

  private final class ClientSide implements ClientCallTracer {
    private final String name;

    ClientSide(String name) {
      this.name = name;
    }

    @Override
    public ClientStreamTracer newAttempt(ClientStreamTracer.Start attempt) {
      return new AttemptSide(name, attempt.isTransparentRetry() ? "sent again" : "attempt");
    }

    @Override
    public void onEnd(Status status, Metadata trailers) {
      add(name + " ended " + text(status) + fields(", trailers ", trailers));
    }
  }

  private final class AttemptSide implements ClientStreamTracer {
    private final String name;
    private final String kind;

    AttemptSide(String name, String kind) {
      this.name = name;
      this.kind = kind;
    }

    @Override
    public void onStreamOpened(Opened stream) {
      add(name + " " + kind + " on " + stream.peer());
    }

    @Override
    public void onHeadersReceived(Metadata headers) {
      add(name + " <- headers" + fields(" ", headers));
    }

    @Override
    public void onEnd(Status status, Metadata trailers) {
      if (!status.isOk()) {
        add(name + " " + kind + " ended " + text(status));
      }
    }
  }

  private final class ServerSide implements ServerStreamTracer {
    private final String what;

    ServerSide(String what) {
      this.what = what;
    }

    @Override
    public void onEnd(Status status, Metadata trailers) {
      add(what + " answered " + text(status) + fields(", trailers ", trailers));
    }
  }
}
