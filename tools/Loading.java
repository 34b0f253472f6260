import VASSAL.build.GameModule;
import VASSAL.build.module.GameState;
import VASSAL.build.module.PredefinedSetup;
import VASSAL.build.module.WizardSupport;
import VASSAL.counters.Stack;
import VASSAL.launch.Player;
import VASSAL.launch.StandardConfig;
import VASSAL.tools.DataArchive;
import com.sun.management.OperatingSystemMXBean;
import java.awt.AWTError;
import java.awt.GraphicsEnvironment;
import java.awt.Toolkit;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import javax.swing.SwingUtilities;

/**
 * Loads each set-up of a module four times in VASSAL's own player, and says what each time took. Run by
 * loading.py. What it says stands in lines of the standard output whose fields are separated by tabs:
 *
 * <pre>
 * module  NAME AND VERSION
 * load    SET-UP  PIECES  SECONDS  SECONDS OF THE PROCESSOR
 * refused REASON
 * </pre>
 */
public final class Loading {
  private static final int TIMES = 4;
  private static final PrintStream OUT =
    new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);

  private Loading() {}

  public static void main(final String[] arguments) throws Exception {
    if (!hasDisplay()) {
      refuse("no display");
    }
    VASSAL.Info.setConfig(new StandardConfig());
    new QuietPlayer(arguments[0]);
    final GameModule module = GameModule.getGameModule();
    say("module", module.getGameName() + ", version " + module.getGameVersion());
    for (final PredefinedSetup setup : module.getAllDescendantComponentsOf(PredefinedSetup.class)) {
      if (!setup.isMenu()) {
        for (int time = 0; time < TIMES; time++) {
          measure(module.getGameState(), setup);
        }
      }
    }
    System.exit(0);
  }

  private static boolean hasDisplay() {
    try {
      return !GraphicsEnvironment.isHeadless() && Toolkit.getDefaultToolkit() != null;
    }
    catch (AWTError e) {
      return false;
    }
  }

  /** Close the game that is open, then time the loading, from the menu's command until the window is painted. */
  private static void measure(final GameState state, final PredefinedSetup setup) throws Exception {
    SwingUtilities.invokeAndWait(() -> {
      state.setModified(false);
      if (state.isGameStarted()) {
        state.closeGame();
      }
    });
    waitUntilIdle(state);
    System.gc();
    final OperatingSystemMXBean system =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    final long began = System.nanoTime();
    final long used = system.getProcessCpuTime();
    SwingUtilities.invokeAndWait(setup::launch);
    waitUntilIdle(state);
    final double cpu = (system.getProcessCpuTime() - used) / 1e9;
    final double wall = (System.nanoTime() - began) / 1e9;
    final long pieces = state.getAllPieces().stream().filter(piece -> !(piece instanceof Stack)).count();
    say("load", setup.getConfigureName(), pieces, wall, cpu);
  }

  /** Wait until no game is being loaded and VASSAL's event thread has nothing left to do. */
  private static void waitUntilIdle(final GameState state) throws Exception {
    final boolean[] busy = {true};
    while (busy[0]) {
      Thread.sleep(2);
      SwingUtilities.invokeAndWait(() -> busy[0] = state.isLoadingInBackground()
        || Toolkit.getDefaultToolkit().getSystemEventQueue().peekEvent() != null);
    }
  }

  private static void say(final Object... fields) {
    final StringBuilder line = new StringBuilder();
    for (final Object one : fields) {
      line.append(line.length() == 0 ? "" : "\t").append(one);
    }
    OUT.println(line);
  }

  private static void refuse(final String reason) {
    say("refused", reason);
    Runtime.getRuntime().halt(2);
  }

  /** The player without its questions: no welcome, and the seat that is offered is taken. */
  private static final class QuietPlayer extends Player {
    QuietPlayer(final String module) {
      super(new String[] {"--load", "--", module});
    }

    @Override
    protected GameModule createModule(final DataArchive archive) {
      return new GameModule(archive) {
        private final WizardSupport wizards = new NoWizards();

        @Override
        public WizardSupport getWizardSupport() {
          return wizards;
        }
      };
    }

    @Override
    protected void launch() {
      try {
        GameModule.init(createModule(createDataArchive()));
        createExtensionsLoader().addTo(GameModule.getGameModule());
        GameModule.getGameModule().getPlayerWindow().setVisible(true);
      }
      catch (Exception e) {
        refuse(String.valueOf(e.getMessage()).lines().findFirst().orElse(e.toString()));
      }
    }
  }

  private static final class NoWizards extends WizardSupport {
    @Override
    public void showGameSetupWizard() {
      GameModule.getGameModule().getGameState().getUnfinishedSetupSteps().forEachRemaining(step -> {
        step.getControls();
        step.finish();
      });
    }
  }
}
