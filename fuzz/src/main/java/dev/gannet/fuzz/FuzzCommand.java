package dev.gannet.fuzz;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** {@code fuzz}: runs the fuzzer on targets, one after another. */
@Command(
    name = "fuzz",
    mixinStandardHelpOptions = true,
    description =
        "Searches for inputs that break a rule: that throw, hang, allocate too much, or are"
            + " understood in two ways. Such an input is stored in the sources, and every build"
            + " runs it again. Exits with 1 if there is one.")
final class FuzzCommand implements Callable<Integer> {
  private static final String ALL = "all";
  private static final long MINUTE_SECONDS = 60;

  @Parameters(
      paramLabel = "TARGET",
      converter = ChoiceReader.class,
      completionCandidates = ChoiceReader.class,
      description = "The target to fuzz: ${COMPLETION-CANDIDATES}.")
  private Choice choice = new Choice(Arrays.asList(Target.values()));

  @Option(
      names = "--minutes",
      paramLabel = "N",
      description = "The time for each target (default: ${DEFAULT-VALUE}).")
  private long minutes = 1;

  @Option(
      names = "--merge",
      description =
          "Does not look for inputs, but takes those that were found into the sources: as"
              + " few as reach as far.")
  private boolean merging;

  private final PrintWriter out;

  FuzzCommand(PrintWriter out) {
    this.out = out;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    List<Path> broken = new ArrayList<>();
    for (Target target : choice.targets) {
      JazzerProcess fuzzer = new JazzerProcess(Folders.here(), target);
      if (merging) {
        fuzzer.merge();
      } else {
        broken.addAll(fuzzer.fuzz(minutes * MINUTE_SECONDS));
      }
    }
    broken.forEach(input -> out.println("A rule is broken by the input " + input));
    return broken.isEmpty() ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  /** One target, or all. */
  private record Choice(List<Target> targets) {}

  private static final class ChoiceReader implements ITypeConverter<Choice>, Iterable<String> {
    @Override
    public Choice convert(String label) {
      if (label.equals(ALL)) {
        return new Choice(Arrays.asList(Target.values()));
      }
      return Target.of(label)
          .map(target -> new Choice(List.of(target)))
          .orElseThrow(() -> new TypeConversionException("there is no target " + label));
    }

    @Override
    public Iterator<String> iterator() {
      List<String> labels = new ArrayList<>(Target.labels());
      labels.add(ALL);
      return labels.iterator();
    }
  }
}
