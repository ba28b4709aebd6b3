package dev.gannet.client;

import dev.gannet.api.CallContext;
import dev.gannet.api.Status;
import dev.gannet.client.resolver.Endpoint;
import dev.gannet.client.resolver.NameResolver;
import dev.gannet.client.resolver.NameResolverProvider;
import dev.gannet.client.resolver.Resolution;
import dev.gannet.client.resolver.Target;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The resolvers of {@code test:///anything}, in a test's hand. */
public final class TestResolver implements NameResolverProvider {
  /** One that a channel has made. */
  public final class Made implements NameResolver {
    final Context context;
    public final List<String> rejections = new ArrayList<>();

    @SuppressWarnings("NullAway.Init") // by its start
    public Listener listener;

    public int refreshes;
    public boolean shutDown;

    private Made(Context context) {
      this.context = context;
    }

    @Override
    public void start(Listener listener) {
      noteCurrentCall();
      this.listener = listener;
      answer();
    }

    private void answer() {
      if (thrown.isPresent()) {
        throw thrown.get();
      }
      answer.ifPresent(listener::onResult);
    }

    @Override
    public void refresh() {
      noteCurrentCall();
      refreshes++;
      answer();
    }

    @Override
    public void onRejected(Resolution result, Status why) {
      rejections.add(why.description().orElse(""));
    }

    @Override
    public void shutdown() {
      noteCurrentCall();
      shutDown = true;
      if (thrownByShutdown.isPresent()) {
        throw thrownByShutdown.get();
      }
    }
  }

  public final List<Made> made = new ArrayList<>();

  /** The calls that were being served by the thread on which a resolver was called. */
  public final List<CallContext> currentCalls = new ArrayList<>();

  /** What is answered at once, if anything is. */
  public Optional<Resolution> answer = Optional.of(endpoints(1));

  public Optional<Error> thrown = Optional.empty();
  Optional<RuntimeException> thrownByShutdown = Optional.empty();
  public boolean makesNothing;

  /** What a provider does before it makes a resolver. */
  public Consumer<NameResolver.Context> atCreate = context -> {};

  /** That many endpoints, with one address each. */
  public static Resolution endpoints(int number) {
    List<Endpoint> all = new ArrayList<>();
    for (int i = 1; i <= number; i++) {
      all.add(Endpoint.of(address(i)));
    }
    return Resolution.of(all);
  }

  public static Resolution endpoints(InetSocketAddress... addresses) {
    return Resolution.of(Arrays.stream(addresses).map(Endpoint::of).toList());
  }

  public static InetSocketAddress address(int number) {
    return InetSocketAddress.createUnresolved("server" + number, 1);
  }

  public static Resolution failure(String why) {
    return Resolution.failed(Status.UNAVAILABLE.withDescription(why));
  }

  @Override
  public String scheme() {
    return "test";
  }

  @Override
  public NameResolver create(Target target, NameResolver.Context context) {
    noteCurrentCall();
    atCreate.accept(context);
    if (makesNothing) {
      return Nulls.none();
    }
    Made resolver = new Made(context);
    made.add(resolver);
    return resolver;
  }

  private void noteCurrentCall() {
    CallContext.current().ifPresent(currentCalls::add);
  }

  public Made last() {
    return made.getLast();
  }
}
